import { expect, test } from 'vitest'
import { GATHER_MS, lookers, uploadPace } from './upload-pace.ts'

test('rows are gathered until there are many or some seconds are over, and not while somebody looks', async () => {
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
