import { expect, test } from 'vitest'
import { backoff, doorbell, fullJitter } from './retry.ts'

test('waits are spread over the whole range, also at the cap', () => {
  expect(fullJitter(0, 100, 1000, () => 0.5)).toBe(50)
  expect(fullJitter(3, 100, 1000, () => 0.5)).toBe(400)
  const capped = Array.from({ length: 1000 }, () => fullJitter(50, 100, 1000))
  const tenths = Array.from({ length: 10 }, (_, at) => capped.filter((ms) => Math.floor(ms / 100) === at).length)
  expect(Math.max(...capped)).toBeLessThan(1000)
  for (const count of tenths) expect(count).toBeGreaterThan(50)
})

test('a success begins anew', () => {
  const waits = backoff(10, 10_000)
  for (let i = 0; i < 20; i++) waits.failed()
  waits.succeeded()
  expect(waits.failed()).toBeLessThan(10)
})

test('a ring before the wait is not lost, and counts once', async () => {
  const bell = doorbell()
  bell.ring()
  bell.ring()
  expect(await bell.wait(10_000)).toBe(true)
  expect(await bell.wait(1)).toBe(false)
  setTimeout(() => bell.ring(), 5)
  expect(await bell.wait(10_000)).toBe(true)
})
