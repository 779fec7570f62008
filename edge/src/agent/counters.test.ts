import type { CounterRow } from '@breakwater/contract/edge/events.ts'
import { expect, test } from 'vitest'
import { addLines, sumRows, takeClosed } from './counters.ts'

const delta = (over: Partial<CounterRow> = {}): CounterRow => ({
  minute: 600,
  node: 7,
  zone: 2,
  site: 1,
  status: 200,
  cause: 0,
  cache: 'HIT',
  requests: 1,
  bytesSent: 10,
  bytesReceived: 2,
  originRequests: 1,
  ...over,
})
const lines = (...rows: unknown[]) => Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(''))

test('deltas of one key are summed, others stay apart, and what is no counter is said', () => {
  const sums = sumRows([])
  expect(addLines(sums, lines(delta(), delta({ requests: 4, bytesSent: 5 }), delta({ cause: 903 }), { a: 1 }))).toBe(1)
  expect([...sums.values()]).toEqual([
    delta({ requests: 5, bytesSent: 15, bytesReceived: 4, originRequests: 2 }),
    delta({ cause: 903 }),
  ])
})

test('a minute is closed when nginx has had time to write all of it', () => {
  const sums = sumRows([delta(), delta({ minute: 660 })])
  expect(takeClosed(sums, 664)).toEqual([])
  expect(takeClosed(sums, 665)).toEqual([delta()])
  expect([...sums.values()]).toEqual([delta({ minute: 660 })])
})

test('minutes from a clock that was set back are not waited for', () => {
  expect(takeClosed(sumRows([delta({ minute: 100_020 })]), 600)).toHaveLength(1)
})
