/** Purges: each once and in order, on disk before nginx hears of it, with a receipt. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './node.ts'
import { makeSigner } from './sealing.ts'
import { useWorld } from './world.ts'

const world = useWorld()

const purge = (id: number, values = ['site1.test/a']) => ({ id, body: { kind: 'purge', site: 1, type: 'url', values } })
const onDisk = () =>
  readFileSync(join(world.node.folder, 'log/purges.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(9)))

function send(...tasks: { id: number; body: unknown }[]) {
  world.plane.tasks.push(...tasks)
  world.plane.wake('tasks')
}

test('a purge is written, told and receipted, at once', async () => {
  await world.run()
  await until('the stream is open', () => world.plane.asked.includes('GET /stream'))
  const at = Date.now()
  send(purge(5))
  await until('the receipt', () => world.plane.receipts.some(({ id, ok }) => id === 5 && ok))
  expect(Date.now() - at).toBeLessThan(1000)
  expect(onDisk()).toEqual([{ id: 5, site: 1, type: 'url', values: ['site1.test/a'] }])
  expect(world.node.control.purges).toEqual(onDisk())
})

test('a replayed task is not run again, a forged one never, an unknown one is refused with a receipt', async () => {
  await world.run()
  send(purge(5), { id: 6, body: { kind: 'dance' } })
  await until('the receipts', () => world.plane.receipts.length === 2)
  expect(world.plane.receipts.find(({ id }) => id === 6)).toMatchObject({
    ok: false,
    detail: 'this agent does not know the task',
  })
  await world.node.kill()
  const { signer } = world.plane
  world.plane.signer = makeSigner('k1')
  world.plane.tasks = [purge(7)]
  await world.run()
  await until('the refusal', () => world.node.output.includes('tasks are not done yet'))
  expect(world.node.control.purges.map(({ id }) => id)).toEqual([5])
  Object.assign(world.plane, { signer, tasks: [purge(5), purge(6), purge(8)] })
  world.plane.wake('tasks')
  await until('the genuine one', () => world.plane.receipts.some(({ id }) => id === 8))
  expect(world.node.control.purges.map(({ id }) => id)).toEqual([5, 8])
})

test('a purge that nginx was not told of is told after a kill, and only then receipted', async () => {
  await world.run()
  await world.node.control.stop()
  send(purge(5))
  await until('it is on disk', () => {
    try {
      return onDisk().length === 1
    } catch {
      return false
    }
  })
  await world.node.kill()
  expect(world.plane.receipts).toEqual([])
  await world.node.control.start()
  await world.run()
  await until('the receipt', () => world.plane.receipts.some(({ id }) => id === 5))
  expect(world.node.control.purges.map(({ id }) => id)).toEqual([5])
  expect(onDisk()).toHaveLength(1)
})
