/** This node's progress in the feed, kept in `agent/state.json` and rewritten after every step. */
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
  /** The entry to retry from time to time; undefined if only a newer entry can help. */
  retry: FeedEntry.optional(),
})
export type Exception = z.output<typeof Exception>

const State = z.object({
  epoch: z.number().int(),
  /** The sequence up to which the feed is on this disk. */
  after: z.number().int(),
  /** The sequence up to which nginx enforces it, except for the exceptions. */
  watermark: z.number().int(),
  /** While a new epoch's feed is compared with the held entries: up to which sequence, and the sites seen in it. */
  comparing: z.object({ until: z.number().int(), sites: z.array(z.number().int()) }).optional(),
  exceptions: z.array(Exception),
  /** The capabilities with which the feed was read. */
  can: z.array(z.string()).default([]),
  /** Why the feed cannot be followed at present. */
  problem: z.string().optional(),
})
export type State = z.output<typeof State>

const pathOf = (layout: Layout) => join(layout.own, 'state.json')

/** The state on disk. If unreadable, starts over: the whole feed is compared, which is always safe. */
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

/** If the node's capabilities changed, it compares the whole feed: entries were left out, or must be now. */
export function noteCapabilities(state: State, can: readonly string[]): void {
  if (state.can.join() === can.join()) return
  state.can = [...can]
  state.epoch = -1
}

export async function writeState(layout: Layout, state: State): Promise<void> {
  await writeDurably(pathOf(layout), JSON.stringify(state), layout.private)
}

/** Records why a site does not match the feed; a site has one reason at a time. */
export function addException(state: State, exception: Exception): void {
  removeException(state, exception.site)
  state.exceptions.push({ ...exception, reason: exception.reason.slice(0, 500) })
}

export function removeException(state: State, site: number): void {
  state.exceptions = state.exceptions.filter((exception) => exception.site !== site)
}
