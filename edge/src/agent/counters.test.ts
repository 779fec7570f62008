import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import { expect, test } from 'vitest'
import { addLines, sumRows, takeAll } from './counters.ts'

const delta = (over: Partial<CounterRow> = {}): CounterRow => ({
  minute: 600,
  node: 7,
  zone: 2,
  site: 1,
  status: 200,
  cause: 0,
  cache: 'HIT',
  action: 'pass',
  requests: 1,
  bytesSent: 10,
  bytesReceived: 2,
  originRequests: 1,
  ...over,
})
const lines = (...rows: unknown[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

test('deltas of the same key are summed, others stay apart, and lines that are no counters are reported', () => {
  const sums = sumRows([])
  expect(addLines(sums, lines(delta(), delta({ requests: 4, bytesSent: 5 }), delta({ cause: 903 }), { a: 1 }))).toBe(1)
  expect([...sums.values()]).toEqual([
    delta({ requests: 5, bytesSent: 15, bytesReceived: 4, originRequests: 2 }),
    delta({ cause: 903 }),
  ])
})

test('sums are returned once; later deltas of the same minute are returned separately', () => {
  const sums = sumRows([delta({ requests: 2 }), delta({ minute: 660 })])
  expect(takeAll(sums)).toEqual([delta({ requests: 2 }), delta({ minute: 660 })])
  addLines(sums, lines(delta({ requests: 5 })))
  expect(takeAll(sums)).toEqual([delta({ requests: 5 })])
  expect(takeAll(sums)).toEqual([])
})

test('sums are kept apart by action, which is empty in lines of an older nginx', () => {
  const { action: _, ...before } = delta()
  const sums = sumRows([])
  addLines(sums, lines(delta(), delta({ action: 'observe' }), before))
  expect([...sums.values()].map(({ action }) => action)).toEqual(['pass', 'observe', ''])
})
