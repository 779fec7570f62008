import { expect, test } from 'vitest'
import { takeFrom } from '../../edge/src/request/lib/bucket.ts'
import { TallyExchange } from '../../server/src/nodes/tally-exchange.ts'

const rate = 10
const burst = 20
const seconds = 60
/**
 * Requests of one address, sent to the nodes in turn, per second and node: each node alone would admit its whole limit.
 */
const asked = 40
const key = Buffer.from('1:7:abcd').toString('base64')

/** The share of the limit that this many nodes admit in a minute, each exchanging once a second at its own time. */
function admitted(count: number, isShared: boolean): number {
  const exchange = new TallyExchange()
  const nodes = Array.from({ length: count }, (_, id) => {
    const levels = new Map<string, number>()
    const counters = {
      get: (name: string) => levels.get(name),
      set: (name: string, at: number) => levels.set(name, at),
    }
    return { id, counters, levels, taken: 0, told: 0 }
  })
  let sum = 0
  const steps = asked * count
  for (let step = 0; step < seconds * steps; step++) {
    const now = 1_000_000 + step / steps
    const node = nodes[step % count]!
    if (takeFrom(node.counters as never, now, key, rate, burst)) {
      node.taken += 1
      sum += 1
    }
    if (!isShared || now - node.told < 1) continue
    node.told = now
    const keys = node.taken > 0 ? [{ key, amount: node.taken / rate, seconds: 0 }] : []
    node.taken = 0
    for (const { amount } of exchange.exchange(node.id, { sites: [], keys }, now * 1000).keys)
      node.levels.set(key, Math.min(now + 60, Math.max(node.levels.get(key) ?? now, now) + amount))
  }
  return sum / (rate * seconds + burst)
}

test('nodes that share what they admit keep one common limit: three within a tenth over a minute', () => {
  const [three, ten] = [admitted(3, true), admitted(10, true)]
  console.info(`admitted of the limit: 3 nodes ${three.toFixed(2)}, 10 nodes ${ten.toFixed(2)}`)
  expect(three).toBeLessThan(1.1)
  expect(ten).toBeLessThan(1.5)
  expect(admitted(3, false)).toBeGreaterThan(2.9)
  expect(admitted(10, false)).toBeGreaterThan(9.5)
})

test('each report is passed on once to every other node that reported the same site or key, and to no other', () => {
  const exchange = new TallyExchange()
  const own = (amount: number) => ({
    sites: [{ site: 5, requests: amount, asked: 1, failures: 0 }],
    keys: [{ key, amount, seconds: 9 }],
  })
  const none = { sites: [], keys: [] }
  expect(exchange.exchange(1, own(3), 0)).toEqual({ sites: [], keys: [] })
  // Node 1's window was running before node 2 reported it; for sites only what comes from now on counts.
  expect(exchange.exchange(2, own(4), 0)).toEqual({
    sites: [],
    keys: [{ key, amount: 3, seconds: 9 }],
  })
  expect(exchange.exchange(2, own(1), 0)).toMatchObject({ keys: [] })
  expect(exchange.exchange(3, none, 0)).toMatchObject({ sites: [], keys: [] })
  expect(exchange.exchange(1, none, 0)).toEqual({
    sites: [{ site: 5, requests: 5, asked: 2, failures: 0 }],
    keys: [{ key, amount: 5, seconds: 9 }],
  })
  expect(exchange.exchange(1, none, 0)).toMatchObject({ sites: [], keys: [] })
  // An expired window starts over, and nothing of it is pending.
  exchange.exchange(2, own(1), 70_000)
  expect(exchange.exchange(1, none, 70_000)).toMatchObject({ sites: [], keys: [] })
})
