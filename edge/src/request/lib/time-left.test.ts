import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

/** As nginx tells it: seconds and a fraction of whole milliseconds. */
const clock = (ms: number): number => Math.floor(ms / 1000) + (ms % 1000) / 1000

test('what is waited for is a millisecond at least, at whatever millisecond one asks', () => {
  const epochMs = 1_795_000_000_000
  const lefts = [0, 1, 2, 3, 1499].flatMap((ms) =>
    Array.from({ length: 1000 }, (_, at) => ({
      ms,
      left: timeLeft(clock(epochMs + at) + 1.5, clock(epochMs + at + 1500 - ms)),
    })),
  )
  const wrong = lefts.filter(({ ms, left }) => (left === undefined ? ms > 1 : Math.trunc(left * 1000) < 1))
  expect(wrong).toEqual([])
})
