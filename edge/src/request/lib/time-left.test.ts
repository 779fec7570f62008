import { expect, test } from 'vitest'
import { timeLeft } from './time-left.ts'

/** A time as nginx reports it: seconds with whole milliseconds as the fraction. */
const clock = (ms: number): number => Math.floor(ms / 1000) + (ms % 1000) / 1000

test('a wait lasts at least a millisecond, at whatever millisecond it is computed', () => {
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
