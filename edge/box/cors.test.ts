/** CORS on the wire: the edge answers preflights, sets the headers of each response, and stores one object for all. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, cacheOf, header, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    // An origin that echoes the Origin header, as frameworks do.
    response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
    response
      .setHeader('access-control-allow-credentials', 'true')
      .setHeader('access-control-expose-headers', 'X-Secret')
    response.setHeader('vary', 'Origin')
    if (request.url?.startsWith('/live')) response.setHeader('cache-control', 'no-store')
    else response.setHeader('cache-control', 'max-age=60')
    response.end(`origin ${request.url}`)
  })
  const origins = [{ port: origin.port }]
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({
      ...{ hosts: ['site.test'], origins, requires: ['cors'] },
      redirects: [{ id: 1, match: 'exact', value: '/old', target: '/new', status: 301, keepQuery: true }],
      firewall: { denyRules: [{ id: 9, urlRegex: '^/denied', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' }] },
      headers: [{ id: 1, type: 'response', key: 'Access-Control-Max-Age', value: '5' }],
      cors: {
        origins: ['https://www.example.com', 'https://*.example.org', 'http://localhost:8080'],
        ...{ methods: ['GET', 'PUT'], headers: ['X-Token', 'Content-Type'], exposeHeaders: ['X-Total'] },
        ...{ credentials: true, maxAge: 300 },
      },
    })
    artefact = entry.artefact ?? ''
    const open = disk.site({ site: 2, hosts: ['open.test'], origins, cors: { headers: ['*'] }, requires: ['cors'] })
    disk.feed(entry, open, disk.site({ site: 3, hosts: ['without.test'], origins }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, from?: string, more = {}) =>
  ask(box, '1.1', 'site.test', { path, ...(from && { headers: { origin: from } }), ...more })
const allowed = (answer: Awaited<ReturnType<typeof get>>) => header(answer, 'access-control-allow-origin')

test.each(versions)('a preflight is answered by the edge, over HTTP/%s', async (version) => {
  const before = origin.asked.length
  const answer = await ask(box, version, 'site.test', {
    ...{ path: '/data', method: 'OPTIONS' },
    headers: {
      origin: 'https://www.example.com',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-token',
    },
  })
  expect(answer.status).toBe(204)
  expect(allowed(answer)).toBe('https://www.example.com')
  expect(header(answer, 'access-control-allow-credentials')).toBe('true')
  expect(header(answer, 'access-control-allow-methods')).toBe('GET, PUT')
  expect(header(answer, 'access-control-allow-headers')).toBe('X-Token, Content-Type')
  // A custom header of the customer is applied last.
  expect(header(answer, 'access-control-max-age')).toBe('5')
  expect(header(answer, 'vary')).toContain('Origin')
  expect(origin.asked.length).toBe(before)
})

test('a preflight from a foreign origin gets no CORS headers, and other OPTIONS go to the origin server', async () => {
  const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
  const answer = await get('/data', undefined, { method: 'OPTIONS', headers })
  expect([answer.status, allowed(answer)]).toEqual([204, undefined])
  const before = origin.asked.length
  expect((await get('/data', undefined, { method: 'OPTIONS' })).body.toString()).toBe('origin /data')
  expect(origin.asked.length).toBe(before + 1)
})

test.each([
  ['https://www.example.com', true],
  ['https://a.example.org', true],
  ['https://a.b.example.org', true],
  ['http://localhost:8080', true],
  ['https://example.org', false],
  ['http://a.example.org', false],
  ['https://evil.com/.example.org', false],
  ['https://evil.com:1.example.org', false],
  ['https://.example.org', false],
  ['https://www.example.com.evil.example', false],
  ['https://www.example.com:8443', false],
  ['null', false],
])('whether a page of %s may read is %s', async (from, may) => {
  expect(allowed(await get('/live', from))).toBe(may ? from : undefined)
})

test('all web origins share one stored object, each with its own Access-Control-Allow-Origin', async () => {
  const first = await get('/shared', 'https://www.example.com')
  const second = await get('/shared', 'https://a.example.org')
  const plain = await get('/shared')
  const foreign = await get('/shared', 'https://evil.example')
  expect([first, second, plain, foreign].map(cacheOf)).toEqual(['MISS', 'HIT', 'HIT', 'HIT'])
  expect([first, second, plain, foreign].map(allowed)).toEqual([
    'https://www.example.com',
    'https://a.example.org',
    undefined,
    undefined,
  ])
  const asked = origin.asked.filter(({ url }) => url === '/shared')
  expect(asked).toHaveLength(1)
  expect(asked[0]!.headers.origin).toBeUndefined()
  for (const answer of [first, second, plain]) {
    expect(header(answer, 'vary')).toContain('Origin')
    expect(header(answer, 'x-secret')).toBeUndefined()
  }
  expect(header(second, 'access-control-expose-headers')).toBe('X-Total')
  expect(header(foreign, 'access-control-allow-credentials')).toBeUndefined()
})

test('uncached responses get the same headers, and the origin still receives the Origin header', async () => {
  const answer = await get('/live', 'https://www.example.com', { method: 'POST', body: 'x' })
  expect([allowed(answer), header(answer, 'access-control-expose-headers')]).toEqual([
    'https://www.example.com',
    'X-Total',
  ])
  expect(origin.asked.at(-1)!.headers.origin).toBe('https://www.example.com')
})

test('the page can read redirects and refusals, and guards run first', async () => {
  const moved = await get('/old', 'https://www.example.com')
  expect([moved.status, allowed(moved)]).toEqual([301, 'https://www.example.com'])
  const preflight = { origin: 'https://www.example.com', 'access-control-request-method': 'GET' }
  const denied = await get('/denied', undefined, { method: 'OPTIONS', headers: preflight })
  expect([denied.status, allowed(denied)]).toEqual([403, 'https://www.example.com'])
})

test('a module for all origins sends `*`, and allows every header', async () => {
  const from = { headers: { origin: 'https://any.example' } }
  const answer = await ask(box, '1.1', 'open.test', { path: '/x', ...from })
  expect([allowed(answer), header(answer, 'access-control-allow-credentials')]).toEqual(['*', undefined])
  const preflight = await ask(box, '1.1', 'open.test', {
    ...{ path: '/x', method: 'OPTIONS' },
    headers: {
      ...from.headers,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'x-a,x-b',
    },
  })
  expect(header(preflight, 'access-control-allow-headers')).toBe('x-a,x-b')
  expect(header(preflight, 'access-control-max-age')).toBe('600')
})

test('a domain without a module passes the CORS headers of its origin', async () => {
  const answer = await ask(box, '1.1', 'without.test', { path: '/live', headers: { origin: 'https://a.example' } })
  expect([allowed(answer), header(answer, 'access-control-allow-credentials')]).toEqual(['https://a.example', 'true'])
})

test('Explain reports that the edge answers a preflight', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'OPTIONS', path: '/a', query: '' },
    headers: { Origin: 'https://www.example.com', 'Access-Control-Request-Method': 'GET' },
    ...{ time: Date.now() / 1000, country: 'TW' },
  }
  const told = await box.control<{ verdict: string; steps: object[] }>('POST', '/explain', { artefact, request })
  expect(told.verdict).toBe('answer')
  expect(told.steps).toContainEqual(expect.objectContaining({ guard: 'cors', outcome: 'answer' }))
})
