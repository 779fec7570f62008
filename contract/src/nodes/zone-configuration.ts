/** The settings of a zone, and how far its nodes have applied them. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { RolloutStep } from './rollout-step.ts'

const NodeState = wordOf('ConfigurationState', 'How far a node is with the configuration of its zone.', [
  'live',
  'waiting',
  'away',
  'refused',
  'unable',
])

export const ConfigurationStatus = z.object({
  revision: z.number().int().describe('0 while nothing was ever set.'),
  savedAt: MomentText.nullable(),
  actor: z.string(),
  nodes: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      state: NodeState,
      revision: z.number().int().describe('What the node is told at present; 0 for the defaults.'),
      reason: z.string().describe('Why it refused, in its own words, else empty.'),
      canDropPackets: z.boolean().describe('Whether it may have the kernel drop packets of banned addresses.'),
      canHttp3: z.boolean().describe('Whether its nginx can speak HTTP/3, as far as it told.'),
    }),
  ),
  rollouts: z.array(
    z.object({
      group: z.string(),
      state: wordOf('ConfigurationRolloutState', 'A change that went back is returned.', ['running', 'returned']),
      step: RolloutStep,
      reason: z.string(),
      since: MomentText,
    }),
  ),
})
export type ConfigurationStatus = z.output<typeof ConfigurationStatus>

export const zoneConfiguration = {
  get: endpoint('client.zone.setting.get', 'GET', '/client/zone/:zoneId/setting', {
    tiers: ['client'],
    can: 'zones.read',
    reply: z.object({
      http2: z.boolean(),
      http3: z.boolean(),
      forceSSLRedirectCode: z.number().int(),
      invalidDomainLimitCount: z.number().int(),
      tlsLimitCount: z.number().int(),
    }),
    summary: 'Returns the individual settings of a zone. Those that cannot be changed yet show what its nodes do.',
  }),
  status: endpoint('client.zone.configuration.get', 'GET', '/client/zone/:zoneId/configuration', {
    tiers: ['client'],
    can: 'zones.read',
    reply: ConfigurationStatus,
    beyond: true,
    summary: 'Returns how far the nodes of a zone have applied the last change, and why any has not.',
  }),
  history: endpoint('client.zone.configuration.history', 'GET', '/client/zone/:zoneId/configuration/history', {
    tiers: ['client'],
    can: 'zones.read',
    query: Paging,
    reply: pageOf(
      z.object({
        revision: z.number().int(),
        createdAt: MomentText,
        actor: z.string(),
        action: z.string(),
        changes: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })),
      }),
    ),
    kind: 'list',
    beyond: true,
    summary: 'Lists the changes to a zone, newest first.',
  }),
}
