import { expect, test, vi } from 'vitest'
import { backoff, beats, doorbell, fullJitter, outageWaits, pause } from './retry.ts'

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

test('whoever waits for a beat goes on together with all others, unless its bell rings before', async () => {
  vi.useFakeTimers()
  try {
    const beat = beats(1000)
    const [bell, stop] = [doorbell(), new AbortController()]
    const seen: string[] = []
    const wait = async (name: string, waits: Promise<unknown>) => {
      await waits
      seen.push(name)
    }
    const waits = [wait('first', pause(beat)), wait('rung', bell.wait(beat)), wait('over', pause(beat, stop.signal))]
    await vi.advanceTimersByTimeAsync(600)
    waits.push(wait('late', pause(beat)))
    bell.ring()
    stop.abort()
    await vi.advanceTimersByTimeAsync(399)
    expect(seen).toEqual(['rung', 'over'])
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['rung', 'over', 'first', 'late'])
    await Promise.all(waits)
    // The next beat is a whole period later.
    const next = wait('next', pause(beat))
    await vi.advanceTimersByTimeAsync(999)
    expect(seen).toHaveLength(4)
    await vi.advanceTimersByTimeAsync(1)
    await next
  } finally {
    vi.useRealTimers()
  }
})
