import { expect, test } from 'vitest'
import { GATHER_MS, GATHER_STEADY_MS, lookers, uploadPace } from './upload-pace.ts'

test('rows are gathered until there are many or some seconds have passed, but not while somebody watches', async () => {
  let at = 1_000_000
  const now = () => at
  const looking = lookers(now)
  const pace = uploadPace(500_000, looking, now)
  expect(pace.isDue(1)).toBe(true)
  pace.sent()
  expect([pace.isDue(499_999), pace.isDue(500_000)]).toEqual([false, true])
  at += GATHER_MS - 1
  expect(pace.isDue(499_999)).toBe(false)
  at++
  expect(pace.isDue(1)).toBe(true)
  pace.sent()
  const { signal } = new AbortController()
  const waits = pace.wait(signal)
  looking.ring()
  await waits
  expect([looking.look(), pace.isDue(1)]).toEqual([true, true])
  at += 5000
  expect([looking.look(), pace.isDue(1)]).toEqual([false, false])
})

test('rows are gathered for longer under steady traffic, and not at all once somebody watches', () => {
  let at = 1_000_000
  const looking = lookers(() => at)
  const pace = uploadPace(500_000, looking, () => at)
  const isDueAfter = (ms: number, bytes: number) => {
    at += ms
    return pace.isDue(bytes)
  }
  expect(isDueAfter(0, 20_000)).toBe(true)
  pace.sent()
  expect([isDueAfter(GATHER_STEADY_MS - 1, 40_000), isDueAfter(0, 500_000), isDueAfter(1, 900)]).toEqual([
    false,
    true,
    true,
  ])
  // Hardly any rows came in that time.
  pace.sent()
  expect([isDueAfter(GATHER_MS - 1, 20_000), isDueAfter(1, 20_000)]).toEqual([false, true])
  looking.ring()
  pace.sent()
  expect(isDueAfter(0, 1)).toBe(true)
})
