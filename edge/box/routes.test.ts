/** Routes: what is cached, what is streamed, which origin gets a request, and with which headers. */
import { once } from 'node:events'
import { request as httpRequest } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin
let second: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, asked) => {
    const url = asked.url
    if (url.startsWith('/swr')) response.setHeader('cache-control', 'max-age=3, stale-while-revalidate=60')
    if (url.startsWith('/sie')) {
      if (origin.asked.filter((one) => one.url === url).length > 1) response.statusCode = 503
      else response.setHeader('cache-control', 'max-age=3, stale-if-error=60')
    }
    if (url.includes('.js')) response.setHeader('content-type', 'text/javascript')
    if (url.startsWith('/keep')) response.setHeader('cache-control', 'max-age=60')
    if (url.startsWith('/vary')) {
      response.setHeader('cache-control', 'max-age=60')
      response.setHeader('vary', 'X-Kind')
    }
    if (url.startsWith('/private')) response.setHeader('cache-control', 'private')
    if (url.startsWith('/cookie')) response.setHeader('cache-control', 'max-age=60').setHeader('set-cookie', 'a=1')
    response.end(`one ${url}`)
  })
  second = await StubOrigin.start((_request, response) => response.end('two'))
  const dead = await freePort()
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        credential: 'only-ours',
        headers: [
          { id: 1, type: 'response', key: 'X-Added', value: 'yes' },
          { id: 2, type: 'request', key: 'X-To-Origin', value: 'hello' },
          { id: 3, type: 'request', key: 'X-Secret', value: '' },
        ],
        cache: [
          { id: 1, prefixes: ['/never'], extensions: [], ttl: 0, ignoreQuery: false },
          { id: 2, prefixes: [], extensions: ['js'], ttl: 30, ignoreQuery: true },
        ],
      }),
      disk.site({
        site: 2,
        hosts: ['weights.test'],
        origins: [
          { port: origin.port, weight: 3 },
          { port: second.port, weight: 1 },
        ],
      }),
      disk.site({ site: 3, hosts: ['dead.test'], origins: [{ port: dead }, { port: second.port, backup: true }] }),
      disk.site({ site: 4, hosts: ['none.test'], origins: [{ port: dead }] }),
      disk.site({ site: 5, hosts: ['inside.test'], origins: [{ port: origin.port }], allowOrigins: [] }),
      disk.site({ site: 6, hosts: ['*.wild.test', 'own.wild.test'], origins: [{ port: second.port }] }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  await second?.end()
})

const cacheOf = async (path: string, headers: Record<string, string> = {}) =>
  (await box.request('site.test', path, { headers })).headers['x-cache']

test('a response that the origin makes cacheable is a HIT the second time', async () => {
  expect(await cacheOf('/keep')).toBe('MISS')
  expect(await cacheOf('/keep')).toBe('HIT')
  expect(await cacheOf('/keep?other')).toBe('MISS')
  expect((await box.request('site.test', '/keep', { method: 'HEAD' })).headers['x-cache']).toBe('HIT')
})

test('a rule caches responses without caching headers, and can ignore the query', async () => {
  expect(await cacheOf('/a.js?v=1')).toBe('MISS')
  expect(await cacheOf('/a.js?v=2')).toBe('HIT')
  expect(await cacheOf('/never.js')).toBe('DIRECT')
})

test('variants are cached separately', async () => {
  expect(await cacheOf('/vary', { 'x-kind': 'a' })).toBe('MISS')
  expect(await cacheOf('/vary', { 'x-kind': 'a' })).toBe('HIT')
  expect(await cacheOf('/vary', { 'x-kind': 'b' })).toBe('MISS')
  expect(await cacheOf('/keep-br', { 'accept-encoding': 'gzip, br' })).toBe('MISS')
  expect(await cacheOf('/keep-br', { 'accept-encoding': 'br;q=1.0, gzip;q=0.5' })).toBe('HIT')
  expect(await cacheOf('/keep-br', { 'accept-encoding': 'br;q=0' })).toBe('MISS')
})

test.each(['/private', '/cookie', '/nothing'])(
  '%s is not cached, and bypasses the cache once that is known',
  async (path) => {
    expect(await cacheOf(path)).toBe('MISS')
    expect(await cacheOf(path)).toBe('DIRECT')
  },
)

test('an unsafe request invalidates the cached object', async () => {
  expect(await cacheOf('/keep-me')).toBe('MISS')
  expect(await cacheOf('/keep-me')).toBe('HIT')
  await box.request('site.test', '/keep-me', { method: 'POST', body: 'x' })
  expect(await cacheOf('/keep-me')).toBe('MISS')
})

test('a stale object is served while it is revalidated, and if the origin fails', async () => {
  expect(await cacheOf('/swr')).toBe('MISS')
  expect(await cacheOf('/sie')).toBe('MISS')
  const afterHits = async (path: string) => {
    let found = 'HIT'
    await until(`${path} to be older than it may be`, async () => {
      found = String(await cacheOf(path))
      return found !== 'HIT'
    })
    return found
  }
  expect(await afterHits('/swr')).toBe('STALE')
  await until('a renewed object', async () => (await cacheOf('/swr')) === 'HIT')
  await afterHits('/sie')
  const stale = await box.request('site.test', '/sie')
  expect([stale.status, stale.headers['x-cache']]).toEqual([200, 'STALE'])
})

test('the origin gets the client’s address, and no forged headers', async () => {
  await box.request('site.test', '/told', {
    headers: {
      'x-forwarded-for': '8.8.8.8',
      'x-forwarded-host': 'evil.test',
      'x-real-ip': '8.8.8.8',
      'x-origin-key': 'guess',
      'x-secret': 'mine',
      'x-bw-address': '8.8.8.8',
      'x-bw-key': 'k',
      forwarded: 'for=8.8.8.8',
    },
  })
  const asked = origin.asked.find((one) => one.url === '/told')!
  expect(asked.headers).toMatchObject({
    host: `site.test:${box.settings.httpPort}`,
    'x-forwarded-for': '127.0.0.1',
    'x-real-ip': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-origin-key': 'only-ours',
    'x-to-origin': 'hello',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  const names = Object.keys(asked.headers)
  expect(
    names.filter(
      (name) => name.startsWith('x-bw') || name === 'x-secret' || name === 'forwarded' || name === 'x-forwarded-host',
    ),
  ).toEqual([])
})

test('the visitor gets the customer’s header on every route, and no internal ones', async () => {
  for (const path of ['/keep', '/private']) {
    const { headers } = await box.request('site.test', path)
    expect(headers['x-added']).toBe('yes')
    expect(Object.keys(headers).filter((name) => name.startsWith('x-bw') || name.startsWith('x-accel'))).toEqual([])
  }
})

test('requests are distributed to origins by weight', async () => {
  const seen = []
  for (let i = 0; i < 40; i++)
    seen.push((await box.request('weights.test', `/${i}`, { method: 'OPTIONS' })).text.slice(0, 3))
  expect(seen.filter((text) => text === 'two')).toHaveLength(10)
})

test('a site that misconfigures another site’s origin does not make it unavailable there', async () => {
  const origins = [
    { id: 71, port: origin.port },
    { id: 72, port: second.port, backup: true },
  ]
  const wrong = [{ id: 70, port: origin.port, tls: true }]
  const entries = [
    box.disk.site({ site: 71, hosts: ['owner.test'], origins }),
    box.disk.site({ site: 70, hosts: ['stranger.test'], origins: wrong }),
  ]
  await box.control('POST', '/apply', { entries })
  for (let i = 0; i < 6; i++) expect((await box.request('stranger.test', `/wrong-${i}`)).status).toBe(502)
  const before = second.asked.length
  for (let i = 0; i < 6; i++) expect((await box.request('owner.test', `/right-${i}`)).status).toBe(200)
  expect(second.asked.length).toBe(before)
})

test('a dead origin is replaced by its backup, and soon not tried any more', async () => {
  for (let i = 0; i < 6; i++) expect((await box.request('dead.test', `/${i}`)).text).toBe('two')
  const refused = box
    .errors()
    .split('\n')
    .filter((line) => line.includes('Connection refused') && line.includes('dead.test'))
  expect(refused.length).toBeLessThan(4)
})

test('if no origin answers, the visitor gets our error page or a problem document', async () => {
  const reply = await box.request('none.test', '/')
  expect(reply.status).toBe(502)
  expect(reply.text).toContain('The site does not answer')
  const problem = await box.request('none.test', '/', {
    method: 'POST',
    body: 'x',
    headers: { accept: 'application/json' },
  })
  expect(problem.status).toBe(502)
  expect(problem.headers['content-type']).toBe('application/problem+json')
})

test('an origin on a private network gets no requests without the operator’s permission', async () => {
  const before = origin.asked.length
  expect((await box.request('inside.test', '/')).status).toBe(502)
  expect(origin.asked.length).toBe(before)
})

test('a wildcard serves the names below it', async () => {
  expect((await box.request('a.wild.test', '/')).text).toBe('two')
  expect((await box.request('a.b.wild.test', '/')).text).toBe('two')
  await expect(box.request('wild.test', '/')).rejects.toThrow()
})

test('an upload reaches the origin while it is still being sent', async () => {
  let got = ''
  const slow = await StubOrigin.start((request, response) => {
    request.on('data', (chunk: Buffer) => {
      got += chunk
    })
    request.on('end', () => response.end('done'))
  })
  await box.control('POST', '/apply', {
    entries: [box.disk.site({ site: 9, hosts: ['slow.test'], origins: [{ port: slow.port }] })],
  })
  const upload = httpRequest({
    port: box.settings.httpPort,
    host: '127.0.0.1',
    method: 'PUT',
    path: '/up',
    headers: { host: 'slow.test' },
  })
  upload.write('part one')
  await until('the first part at the origin', () => got === 'part one')
  upload.end(', part two')
  const [response] = await once(upload, 'response')
  expect(response.statusCode).toBe(200)
  response.resume()
  expect(got).toBe('part one, part two')
  await slow.end()
})

test('a WebSocket passes both ways', async () => {
  const upgrading = await StubOrigin.start()
  upgrading.server.on('upgrade', (_request, socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
    socket.on('data', (data) => socket.write(`echo ${data}`))
  })
  await box.control('POST', '/apply', {
    entries: [box.disk.site({ site: 8, hosts: ['ws.test'], origins: [{ port: upgrading.port }] })],
  })
  const headers = { host: 'ws.test', connection: 'Upgrade', upgrade: 'websocket' }
  const client = httpRequest({ port: box.settings.httpPort, host: '127.0.0.1', path: '/chat', headers })
  client.end()
  const [, socket] = (await once(client, 'upgrade')) as [unknown, Socket]
  let heard = ''
  socket.on('data', (data) => {
    heard += `${data};`
  })
  socket.write('hello')
  await until('the first echo', () => heard === 'echo hello;')
  socket.write('again')
  await until('the second echo', () => heard === 'echo hello;echo again;')
  socket.destroy()
  upgrading.server.close()
})

test.each([
  ['/a%20b', '/a%20b'],
  ['/%E4%BD%A0/%3Fx?y=%20', '/%E4%BD%A0/%3Fx?y=%20'],
  ['/a%2Fb//c%3Bd/../e', '/a%2Fb//c%3Bd/../e'],
  ['/a//b/../c%2Fd?q', '/a//b/../c%2Fd?q'],
  ['/q?', '/q?'],
  ['/plain;p=1?a=b', '/plain;p=1?a=b'],
])('%s is requested from the origin as %s, on both routes', async (path, asked) => {
  for (const method of ['GET', 'DELETE']) {
    const before = origin.asked.length
    expect((await box.request('site.test', path, { method })).status).toBe(200)
    expect(origin.asked[before]).toMatchObject({ method, url: asked })
  }
})

test('a handshake for an unknown host fails', async () => {
  await expect(box.request('site.test', '/keep', { tls: 'nobody.test' })).rejects.toThrow()
})

test('an SNI of another site is answered with 421', async () => {
  const own = await box.request('site.test', '/keep', { tls: true })
  expect(own.status).toBe(200)
  const fronted = await box.request('site.test', '/keep', { tls: 'weights.test' })
  expect(fronted.status).toBe(421)
})

test('nobody else can access the inner hop and the control socket', async () => {
  const { statSync } = await import('node:fs')
  expect(statSync(`${box.settings.folder}/run`).mode & 0o077).toBe(0)
  const socket = connect(box.settings.httpPort, '127.0.0.1')
  socket.end('GET http://site.test/keep HTTP/1.1\r\nHost: weights.test\r\nConnection: close\r\n\r\n')
  const [data] = await once(socket, 'data')
  // The absolute form determines the host (RFC 9112, 3.2.2).
  expect(`${data}`).toContain('X-Added: yes')
})
