import { expect, test } from 'vitest'
import { turns } from './in-turn.ts'

const many = { atOnce: 1, waitingMax: 3, waitingOfOneMax: 2, message: 'too many downloads' }
const [ours, theirs, third] = [1, 2, 3]

test('a limited number run, a limited number wait in order, and any further call gets 503', async () => {
  const inTurn = turns({ ...many, waitingMax: 2 })
  const begun: number[] = []
  const first = Promise.withResolvers<void>()
  const running = inTurn(ours, async () => {
    begun.push(0)
    await first.promise
  })
  const failing = inTurn(ours, async () => {
    begun.push(1)
    throw new Error('broken')
  })
  const last = inTurn(ours, async () => begun.push(2))
  const beyond = inTurn(theirs, async () => begun.push(3))
  await expect(beyond).rejects.toMatchObject({ status: 503, message: 'too many downloads' })
  expect(begun).toEqual([0])
  first.resolve()
  await expect(failing).rejects.toThrow('broken')
  await Promise.all([running, last])
  expect(begun).toEqual([0, 1, 2])
  expect(await inTurn(ours, async () => 'again')).toBe('again')
})

test('a tenant with many calls does not delay others, and does not fill the whole queue', async () => {
  const inTurn = turns({ ...many, waitingMax: 4 })
  const begun: string[] = []
  const first = Promise.withResolvers<void>()
  const note = (name: string) => async () => void begun.push(name)
  const asked = [
    inTurn(ours, () => first.promise),
    inTurn(ours, note('ours 1')),
    inTurn(ours, note('ours 2')),
    inTurn(theirs, note('theirs')),
    inTurn(third, note('third')),
  ]
  await expect(inTurn(ours, note('ours 3'))).rejects.toMatchObject({ status: 503 })
  first.resolve()
  await Promise.all(asked)
  expect(begun).toEqual(['ours 1', 'theirs', 'third', 'ours 2'])
})
