/** Roll-outs: changes of many sites that reach the nodes in steps, and those that were rolled back. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { RolloutStep } from './rollout-step.ts'

const RolloutState = wordOf('RolloutState', 'A rollout that went back is returned.', ['running', 'done', 'returned'])

export const Rollout = z.object({
  id: z.number().int(),
  /** The audit name of the change, and a short description. */
  action: z.string(),
  summary: z.string(),
  actor: z.string(),
  zone: z.string(),
  group: z.string(),
  sites: z.number().int(),
  state: RolloutState,
  step: RolloutStep,
  /** Names of the nodes that have the change in this step. */
  nodes: z.array(z.string()),
  /** Why it was rolled back; else empty. */
  reason: z.string(),
  startedAt: MomentText,
  stepAt: MomentText,
  endedAt: MomentText.nullable(),
})
export type Rollout = z.output<typeof Rollout>

export const rollouts = {
  list: endpoint('client.rollouts.list', 'GET', '/client/rollouts', {
    tiers: ['client'],
    can: 'nodes.read',
    query: Paging.extend({ state: RolloutState.optional() }),
    reply: pageOf(Rollout),
    kind: 'list',
    beyond: true,
    summary: 'Lists roll-outs, newest first: their progress, and why any was rolled back.',
  }),
}
