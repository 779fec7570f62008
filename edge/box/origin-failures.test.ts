/** Origins that do not answer: the reason in page and log, the fallback origin, and requests that are never retried. */
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { watchPace } from '../../tests/harness/pace.ts'
import { freePort } from '../../tests/harness/ports.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let good: StubOrigin
let silent: StubOrigin
let resetting: Server
let sixth: HttpServer
let odd: Server
const asked = { resetting: 0 }
const hasIpv6 = (networkInterfaces().lo ?? []).some(({ address }) => address === '::1')
const portOf = (server: Server) => (server.address() as { port: number }).port
const listening = (server: Server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

beforeAll(async () => {
  good = await StubOrigin.start(({ socket, url }, response) => {
    response.setHeader('cache-control', 'no-store').setHeader('x-from', socket.remotePort ?? 0)
    response.end(`good ${url}`)
  })
  silent = await StubOrigin.start(() => undefined)
  resetting = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        asked.resetting++
        socket.resetAndDestroy()
      })
  })
  odd = createServer((socket) => socket.on('error', () => undefined).end('220 mail.test ESMTP\r\n'))
  await Promise.all([listening(resetting), listening(odd)])
  sixth = createHttpServer((_request, response) => response.end('over IPv6'))
  await new Promise<void>((resolve) => sixth.listen(0, hasIpv6 ? '::1' : '127.0.0.1', resolve))
  const nobody = await freePort()
  const [reset, mail] = [portOf(resetting), portOf(odd)]
  box = await Box.start({ workers: 1, resolvers: [`127.0.0.1#${await freePort()}`] }, (disk) => {
    const site = (number: number, host: string, origins: object[], settings = {}) =>
      disk.feed(
        disk.site({
          site: number,
          hosts: [host],
          settings,
          origins: origins.map((one, n) => ({ id: number * 10 + n, ...one })),
        }),
      )
    const soon = { originFirstByteTimeoutMs: 300, originIdleTimeoutMs: 300 }
    site(1, 'none.test', [])
    site(2, 'dns.test', [{ host: 'nowhere.invalid', port: 80 }])
    site(3, 'connect.test', [{ port: nobody }])
    site(4, 'timeout.test', [{ port: silent.port }], soon)
    site(5, 'reset.test', [{ port: reset }])
    site(6, 'invalid.test', [{ port: mail }])
    site(7, 'tls.test', [{ port: good.port, tls: true }])
    // The first choice of each fails: the other is a backup.
    site(8, 'away.test', [{ port: nobody }, { port: good.port, backup: true }])
    site(9, 'broken.test', [{ port: reset }, { port: good.port, backup: true }])
    site(10, 'unsafe.test', [{ port: reset }, { port: good.port, backup: true }])
    disk.feed(
      disk.site({
        ...{ site: 12, hosts: ['six.test'], allowOrigins: ['::1/128'] },
        origins: [{ id: 121, host: '::1', port: (sixth.address() as { port: number }).port }],
      }),
    )
    site(11, 'kept.test', [{ port: good.port }])
  })
})
afterAll(async () => {
  await box?.end()
  for (const server of [resetting, odd, sixth]) server?.close()
  await Promise.all([good, silent].map((origin) => origin?.end()))
})

const reasons: [host: string, failure: string, words: string, status: number][] = [
  ['none.test', 'none', 'no server that could be asked', 502],
  ['dns.test', 'dns', 'address of its server could not be found', 502],
  ['connect.test', 'connect', 'accepts no connections', 502],
  ['timeout.test', 'timeout', 'did not answer in time', 504],
  ['reset.test', 'reset', 'closed the connection', 502],
  ['invalid.test', 'invalid', 'could not be read', 502],
  ['tls.test', 'tls', 'No trusted connection', 502],
]

test('dns, connect, tls, timeout, reset and non-HTTP responses are distinguished, on both routes', async () => {
  const seen = await Promise.all(
    reasons.flatMap(([host, , words]) =>
      ['GET', 'POST'].map(async (method) => {
        const page = await box.request(host, `/why-${host}-${method}`, { method, headers: { accept: 'text/html' } })
        return [host, page.status, page.text.includes(words)]
      }),
    ),
  )
  expect(seen).toEqual(reasons.flatMap(([host, , , status]) => Array(2).fill([host, status, true])))
  const rows = () => box.rows().filter(({ path }) => path.startsWith('/why-'))
  await until('their rows', () => rows().length === reasons.length * 2)
  const told = new Set(rows().map(({ domain, originFailure }) => `${domain} ${originFailure}`))
  expect([...told].sort()).toEqual(reasons.map(([host, failure]) => `${host} ${failure}`).sort())
})

test('if an origin refuses connections, the next one gets the request, whatever the method', async () => {
  for (const method of ['GET', 'POST', 'DELETE'])
    expect((await box.request('away.test', `/${method}`, { method })).text).toBe(`good /${method}`)
})

test('a request that was already sent is retried only if it is safe', async () => {
  expect((await box.request('broken.test', '/get')).text).toBe('good /get')
  const before = asked.resetting
  good.asked.length = 0
  const refused = await box.request('unsafe.test', '/pay', { method: 'POST', body: 'amount=1' })
  expect([refused.status, asked.resetting - before, good.asked]).toEqual([502, 1, []])
})

test('an origin that failed twice is skipped, and visitors notice nothing', async () => {
  await box.request('broken.test', '/once-more')
  const before = asked.resetting
  for (let n = 0; n < 5; n++) expect((await box.request('broken.test', `/${n}`)).text).toBe(`good /${n}`)
  expect(asked.resetting - before).toBe(0)
})

test('connections to plaintext origins are kept alive', async () => {
  const from = new Set<unknown>()
  await box.request('kept.test', '/first')
  for (let n = 0; n < 10; n++) from.add((await box.request('kept.test', `/${n}`)).headers['x-from'])
  expect(from.size).toBe(1)
})

test('after an origin failure the next request for the page does not wait', async () => {
  const [began, pace] = [performance.now(), watchPace()]
  for (let n = 0; n < 3; n++) expect((await box.request('connect.test', '/same')).status).toBe(502)
  // Each used to wait five seconds for the previous one.
  expect(performance.now() - began).toBeLessThan(pace.within(5000))
  pace.stop()
})

test.skipIf(!hasIpv6)('an origin may have an IPv6 address', async () => {
  // The first request goes through the relay, the others through nginx itself.
  for (let n = 0; n < 3; n++) expect((await box.request('six.test', `/${n}`)).text).toBe('over IPv6')
})
