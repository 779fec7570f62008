/** Nodes that gather and send as the agent does, and stores that take one batch after the other, in made-up time. Pure. */

import { BATCH_BYTES, GATHER_STEADY_MS, MANY_BYTES, TAKE_STEADY_MS } from '../../../edge/src/agent/upload-pace.ts'

/** `perSecond` is of a node; costs are seconds of the core that inserts. */
export type Fleet = {
  nodes: number
  perSecond: number
  stores: number
  ofInsert: number
  ofRow: number
  bytesOfLine: number
}
/** `busy` is the share of its time for which a store inserts, `lag` the age of the oldest row that waits at the end, in seconds. */
export type Seen = { insertsPerSecond: number; rowsOfBatch: number; busy: number; lag: number }

const seconds = 300
/** Agents look whether much waits once a second. */
const lookSeconds = 1

export function simulate({ nodes, perSecond, stores, ofInsert, ofRow, bytesOfLine }: Fleet): Seen {
  const freeAt = new Array<number>(stores).fill(0)
  // A node sends its next batch when the one before is stored; nodes begin at different moments.
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
  // The counters of a node are few lines, with views of their own.
  const ofCounters = (nodes * ofInsert * 1000) / TAKE_STEADY_MS
  const lag = Math.max(...fleet.map(({ storedTo }) => seconds - storedTo))
  return {
    insertsPerSecond: inserts / seconds,
    rowsOfBatch: rows / inserts,
    busy: Math.min(1, (worked / seconds + ofCounters) / stores),
    lag,
  }
}
