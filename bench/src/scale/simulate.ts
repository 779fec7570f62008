/**
 * Nodes that gather and send as the agent does, and stores that ingest one batch at a time, in simulated time. Pure.
 */

import { BATCH_BYTES, GATHER_STEADY_MS, MANY_BYTES, TAKE_STEADY_MS } from '../../../edge/src/agent/upload-pace.ts'

/** `perSecond` is per node; costs are CPU seconds of the core that inserts. */
export type Fleet = {
  nodes: number
  perSecond: number
  stores: number
  ofInsert: number
  ofRow: number
  bytesOfLine: number
}
/**
 * `busy` is the share of time that a store spends inserting, `lag` the age of the oldest row still waiting at the end,
 * in seconds.
 */
export type Seen = { insertsPerSecond: number; rowsOfBatch: number; busy: number; lag: number }

const seconds = 300
/** Agents check once a second whether enough is waiting. */
const lookSeconds = 1

export function simulate({ nodes, perSecond, stores, ofInsert, ofRow, bytesOfLine }: Fleet): Seen {
  const freeAt = new Array<number>(stores).fill(0)
  // A node sends its next batch when the previous one is stored; nodes start at different times.
  const fleet = Array.from({ length: nodes }, (_, i) => ({
    store: i % stores,
    lookAt: (i * lookSeconds) / nodes,
    sentAt: (-GATHER_STEADY_MS / 1000) * (i / nodes),
    storedTo: 0,
  }))
  let [inserts, rows, worked] = [0, 0, 0]
  for (;;) {
    const node = fleet.reduce((first, one) => (one.lookAt < first.lookAt ? one : first))
    const now = node.lookAt
    if (now >= seconds) break
    const waiting = (now - node.storedTo) * perSecond
    const isDue = waiting * bytesOfLine >= MANY_BYTES || now >= node.sentAt + GATHER_STEADY_MS / 1000
    if (!isDue) {
      node.lookAt = now + lookSeconds
      continue
    }
    const taken = Math.min(waiting, BATCH_BYTES / bytesOfLine)
    const cost = ofInsert + taken * ofRow
    const end = Math.max(now, freeAt[node.store]!) + cost
    freeAt[node.store] = end
    node.storedTo += taken / perSecond
    node.sentAt = now
    node.lookAt = end
    inserts++
    rows += taken
    worked += cost
  }
  // A node's counters are few lines, with materialized views of their own.
  const ofCounters = (nodes * ofInsert * 1000) / TAKE_STEADY_MS
  const lag = Math.max(...fleet.map(({ storedTo }) => seconds - storedTo))
  return {
    insertsPerSecond: inserts / seconds,
    rowsOfBatch: rows / inserts,
    busy: Math.min(1, (worked / seconds + ofCounters) / stores),
    lag,
  }
}
