/** How far this node is: kept in `agent/state.json`, rewritten after every step. */
import { join } from 'node:path'
import { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { z } from 'zod'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'

const Exception = z.object({
  site: z.number().int(),
  revision: z.number().int(),
  reason: z.string(),
  /** What is tried again from time to time; absent where only a newer entry can help. */
  retry: FeedEntry.optional(),
})
export type Exception = z.output<typeof Exception>

const State = z.object({
  epoch: z.number().int(),
  /** The sequence up to which the feed is on this disk. */
  after: z.number().int(),
  /** The sequence up to which nginx enforces it, but for the exceptions. */
  watermark: z.number().int(),
  /** While a new epoch's feed is compared with what is held: up to which sequence, and the sites seen in it. */
  comparing: z.object({ until: z.number().int(), sites: z.array(z.number().int()) }).optional(),
  exceptions: z.array(Exception),
  /** The features with which the feed was read. */
  can: z.array(z.string()).default([]),
  /** Why nothing of the feed is taken at present. */
  problem: z.string().optional(),
})
export type State = z.output<typeof State>

const pathOf = (layout: Layout) => join(layout.own, 'state.json')

/** The state on disk. Unreadable counts as the beginning: the whole feed is then compared, which is always safe. */
export async function readState(layout: Layout): Promise<State> {
  const fresh: State = { epoch: -1, after: 0, watermark: 0, exceptions: [], can: [] }
  const text = await readIfThere(pathOf(layout))
  if (!text) return fresh
  try {
    return State.parse(JSON.parse(text.toString('utf8')))
  } catch (error) {
    log.error('the state is unreadable; the whole feed is compared', { reason: reasonOf(error) })
    return fresh
  }
}

/** A node that can more, or less, than it could compares the whole feed: some of it was left out, or is to be. */
export function noteCapabilities(state: State, can: readonly string[]): void {
  if (state.can.join() === can.join()) return
  state.can = [...can]
  state.epoch = -1
}

export async function writeState(layout: Layout, state: State): Promise<void> {
  await writeDurably(pathOf(layout), JSON.stringify(state), layout.private)
}

/** Notes why a site has not what the feed says; a site has one reason at a time. */
export function addException(state: State, exception: Exception): void {
  removeException(state, exception.site)
  state.exceptions.push({ ...exception, reason: exception.reason.slice(0, 500) })
}

export function removeException(state: State, site: number): void {
  state.exceptions = state.exceptions.filter((exception) => exception.site !== site)
}
