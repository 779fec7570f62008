import { expect, test } from 'vitest'
import { turns } from './in-turn.ts'

test('so many run, so many wait in their order, and who comes beyond is told to come again', async () => {
  const inTurn = turns({ atOnce: 1, waitingMax: 2, message: 'too many downloads' })
  const begun: number[] = []
  const first = Promise.withResolvers<void>()
  const running = inTurn(async () => {
    begun.push(0)
    await first.promise
  })
  const failing = inTurn(async () => {
    begun.push(1)
    throw new Error('broken')
  })
  const last = inTurn(async () => begun.push(2))
  await expect(inTurn(async () => begun.push(3))).rejects.toMatchObject({ status: 503, message: 'too many downloads' })
  expect(begun).toEqual([0])
  first.resolve()
  await expect(failing).rejects.toThrow('broken')
  await Promise.all([running, last])
  expect(begun).toEqual([0, 1, 2])
  expect(await inTurn(async () => 'again')).toBe('again')
})
