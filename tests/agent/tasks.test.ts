/** Purges: each once and in order, on disk before nginx gets it, with a receipt. Preheats: each with its receipt. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { watchPace } from '../harness/pace.ts'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSigner } from './sealing.ts'

const fixture = useAgentFixture()

const purge = (id: number, values = ['site1.test/a']) => ({ id, body: { kind: 'purge', site: 1, type: 'url', values } })
const onDisk = () =>
  readFileSync(join(fixture.node.folder, 'log/purges.log'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line.slice(9)))

function send(...tasks: { id: number; body: unknown }[]) {
  fixture.plane.tasks.push(...tasks)
  fixture.plane.wake('tasks')
}

test('a purge is written, executed and receipted at once', async () => {
  await fixture.run()
  await until('the stream is open', () => fixture.plane.asked.includes('GET /stream'))
  const [at, pace] = [performance.now(), watchPace()]
  send(purge(5))
  await until('the receipt', () => fixture.plane.receipts.some(({ id, ok }) => id === 5 && ok))
  expect(performance.now() - at).toBeLessThan(pace.within(1000))
  pace.stop()
  expect(onDisk()).toEqual([{ id: 5, site: 1, type: 'url', values: ['site1.test/a'] }])
  expect(fixture.node.control.purges).toEqual(onDisk())
})

test('a replayed task is not run again, a forged one never, an unknown one is refused with a receipt', async () => {
  await fixture.run()
  send(purge(5), { id: 6, body: { kind: 'dance' } })
  await until('the receipts', () => fixture.plane.receipts.length === 2)
  expect(fixture.plane.receipts.find(({ id }) => id === 6)).toMatchObject({
    ok: false,
    detail: 'this agent does not know the task',
  })
  await fixture.node.kill()
  const { signer } = fixture.plane
  fixture.plane.signer = makeSigner('k1')
  fixture.plane.tasks = [purge(7)]
  await fixture.run()
  await until('the refusal', () => fixture.node.output.includes('tasks are not done yet'))
  expect(fixture.node.control.purges.map(({ id }) => id)).toEqual([5])
  Object.assign(fixture.plane, { signer, tasks: [purge(5), purge(6), purge(8)] })
  fixture.plane.wake('tasks')
  await until('the genuine one', () => fixture.plane.receipts.some(({ id }) => id === 8))
  expect(fixture.node.control.purges.map(({ id }) => id)).toEqual([5, 8])
})

test('a purge that nginx did not get is executed after a kill, and only then receipted', async () => {
  await fixture.run()
  await fixture.node.control.stop()
  send(purge(5))
  await until('it is on disk', () => {
    try {
      return onDisk().length === 1
    } catch {
      return false
    }
  })
  await fixture.node.kill()
  expect(fixture.plane.receipts).toEqual([])
  await fixture.node.control.start()
  await fixture.run()
  await until('the receipt', () => fixture.plane.receipts.some(({ id }) => id === 5))
  expect(fixture.node.control.purges.map(({ id }) => id)).toEqual([5])
  expect(onDisk()).toHaveLength(1)
})

test('URLs are preheated through the node’s own ports, after a kill too, and no purge waits for them', async () => {
  const asked: string[] = []
  let isOpen = false
  const front = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`)
    // Until it is open, the slow URL is never answered.
    if (request.url !== '/slow' || isOpen) response.setHeader('x-cache', 'HIT').end()
  })
  await new Promise<void>((done) => front.listen(0, '127.0.0.1', done))
  const env = { EDGE_HTTP_PORT: String((front.address() as AddressInfo).port) }
  const preheat = (id: number, path: string) => ({
    id,
    body: { kind: 'preheat', site: 1, url: `http://site1.test${path}` },
  })
  try {
    await fixture.run(env)
    send(preheat(5, '/a'), preheat(6, '/slow'), purge(7))
    await until('the receipts', () => fixture.plane.receipts.length === 2)
    expect(fixture.plane.receipts.map(({ id, ok }) => [id, ok]).sort()).toEqual([
      [5, true],
      [7, true],
    ])
    await fixture.node.kill()
    isOpen = true
    await fixture.run(env)
    await until('the receipt after the kill', () => fixture.plane.receipts.some(({ id, ok }) => id === 6 && ok))
    expect(asked).toContain('site1.test/a')
    expect(fixture.node.control.purges.map(({ id }) => id)).toEqual([7])
  } finally {
    front.closeAllConnections()
    front.close()
  }
})
