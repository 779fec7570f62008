import { expect, test } from 'vitest'
import { backoff, doorbell, fullJitter, outageWaits } from './retry.ts'

test('waits are spread over the whole range, even at the cap', () => {
  expect(fullJitter(0, 100, 1000, () => 0.5)).toBe(50)
  expect(fullJitter(3, 100, 1000, () => 0.5)).toBe(400)
  const capped = Array.from({ length: 1000 }, () => fullJitter(50, 100, 1000))
  const tenths = Array.from({ length: 10 }, (_, at) => capped.filter((ms) => Math.floor(ms / 100) === at).length)
  expect(Math.max(...capped)).toBeLessThan(1000)
  for (const count of tenths) expect(count).toBeGreaterThan(50)
})

test('a success resets the back-off', () => {
  const waits = backoff(10, 10_000)
  for (let i = 0; i < 20; i++) waits.failed()
  waits.succeeded()
  expect(waits.failed()).toBeLessThan(10)
})

test('waits are short after a short outage, and use the whole range after a long one', () => {
  let now = 0
  const waits = outageWaits(
    500,
    8_000,
    () => now,
    () => 1,
  )
  const after = [0, 1_000, 3_000, 9_000, 60_000].map((ms) => {
    now = ms
    return Math.round(waits.failed())
  })
  expect(after).toEqual([500, 500, 1_000, 3_000, 8_000])
  waits.succeeded()
  expect(waits.failed()).toBe(500)
})

test('rings before the wait are not lost, and count once', async () => {
  const bell = doorbell()
  bell.ring()
  bell.ring()
  expect(await bell.wait(10_000)).toBe(true)
  expect(await bell.wait(1)).toBe(false)
  setTimeout(() => bell.ring(), 5)
  expect(await bell.wait(10_000)).toBe(true)
})
