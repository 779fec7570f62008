/** Health checks: a node checks origins as the site configured, skips failing ones, and uses them again later. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let a: StubOrigin
let b: StubOrigin
let silent: StubOrigin
const healthy = { a: true }

const check = {
  type: 'http' as const,
  path: '/health?of=site',
  codes: ['204'],
  interval: 1,
  timeout: 2,
  rise: 2,
  fall: 2,
}

beforeAll(async () => {
  a = await StubOrigin.start(({ url }, response) => {
    response.setHeader('cache-control', 'no-store')
    if (url?.startsWith('/health')) response.writeHead(healthy.a ? 204 : 503)
    response.end('a')
  })
  b = await StubOrigin.start(({ url }, response) => {
    response.writeHead(url?.startsWith('/health') ? 204 : 200, { 'cache-control': 'no-store' }).end('b')
  })
  silent = await StubOrigin.start(() => undefined)
  const nobody = await freePort()
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({
        ...{ site: 1, hosts: ['checked.test'], credential: 'only-ours' },
        origins: [
          { id: 1, port: a.port },
          { id: 2, port: b.port, backup: true },
        ],
        settings: { originCheck: check },
      }),
      disk.site({
        ...{ site: 2, hosts: ['ports.test'] },
        origins: [
          { id: 3, port: b.port },
          { id: 4, port: nobody, backup: true },
          { id: 5, port: silent.port, backup: true },
          { id: 6, port: b.port, tls: true, backup: true },
        ],
        settings: { originCheck: { ...check, timeout: 1 } },
      }),
      disk.site({
        ...{ site: 3, hosts: ['connect.test'] },
        origins: [
          { id: 7, port: silent.port },
          { id: 8, port: nobody, backup: true },
        ],
        settings: { originCheck: { type: 'tcp', interval: 1, timeout: 1, rise: 1, fall: 1 } },
      }),
    )
  })
  expect((await box.request('checked.test', '/')).text).toBe('a')
  expect((await box.request('ports.test', '/')).text).toBe('b')
  void box.request('connect.test', '/').catch(() => undefined)
})
afterAll(async () => {
  await box?.end()
  await Promise.all([a, b, silent].map((origin) => origin?.end()))
})

type State = { id: number; state: string; reason: string; since: number }
const states = async () => {
  const { origins } = await box.control<{ origins: State[] }>('GET', '/origins')
  return Object.fromEntries(origins.map(({ id, state, reason }) => [id, `${state} ${reason}`.trim()]))
}

test('each origin is reported as up, or as down with its own reason', async () => {
  // On a busy machine a check of a healthy origin may time out once.
  await expect.poll(states).toEqual({
    ...{ 1: 'up', 2: 'up', 3: 'up', 4: 'down connect', 5: 'down timeout', 6: 'down tls' },
    ...{ 7: 'up', 8: 'down connect' },
  })
  const asked = a.asked.find(({ url }) => url === '/health?of=site')
  expect(asked?.headers).toMatchObject({ host: 'checked.test', 'x-origin-key': 'only-ours' })
})

test('an origin that fails its checks gets no requests until it passes again', async () => {
  healthy.a = false
  await until('the first down', async () => (await states())[1] === 'down status')
  const requests = () => a.asked.filter(({ url }) => url === '/page').length
  for (let n = 0; n < 5; n++) expect((await box.request('checked.test', '/page')).text).toBe('b')
  expect(requests()).toBe(0)
  healthy.a = true
  await until('the first up', async () => (await states())[1] === 'up')
  expect((await box.request('checked.test', '/page')).text).toBe('a')
})
