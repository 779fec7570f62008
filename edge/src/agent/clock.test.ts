import { expect, test } from 'vitest'
import { clockProblem, makeClock } from './clock.ts'

const at = Date.parse('2026-01-01T00:00:00Z')
const date = (ms: number) => new Date(at + ms).toUTCString()

test('a clock that is off by more than half a minute is detected, and a correct one is left alone', () => {
  const clock = makeClock()
  expect(clock.offset()).toBeUndefined()
  clock.note(date(20_000), at, at + 100)
  expect(clock.offset()).toBe(0)
  clock.note(date(600_000), at, at + 1000)
  expect(clock.offset()).toBe(600)
  expect(clockProblem(clock.offset())).toContain('600 s behind')
  clock.note(date(0), at, at + 60_000)
  expect(clock.offset(), 'an answer that took a minute says nothing').toBe(600)
  clock.note(date(-86_400_000), at, at + 10)
  expect(clock.offset()).toBe(-86_400)
  clock.note(date(0), at, at + 10)
  expect(clock.offset()).toBe(0)
})
