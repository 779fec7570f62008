/** Raw requests that parsers may disagree about: refused, or parsed once and forwarded in one canonical form. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { exchange, statuses } from './raw.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({
        origins: [{ port: origin.port }],
        cache: [{ id: 1, prefixes: ['/direct'], extensions: [], ttl: 0, ignoreQuery: false }],
      }),
      disk.site({ site: 2, hosts: ['other.test'], origins: [{ port: origin.port }] }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const send = (request: string) => exchange(box.settings.httpPort, request)
const end = 'Connection: close\r\n\r\n'
const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: other.test\r\nConnection: close\r\n\r\n'

const refused: [name: string, request: string][] = [
  [
    'Content-Length beside Transfer-Encoding',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'Transfer-Encoding beside Content-Length',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\nContent-Length: ${5 + smuggled.length}\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['two lengths', `POST /a HTTP/1.1\r\nHost: site.test\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab${smuggled}`],
  ['a list of lengths', `POST /a HTTP/1.1\r\nHost: site.test\r\nContent-Length: 1, 1\r\n\r\na${smuggled}`],
  ['a signed length', `POST /a HTTP/1.1\r\nHost: site.test\r\nContent-Length: +1\r\n\r\na${smuggled}`],
  ['a length in hexadecimal', `POST /a HTTP/1.1\r\nHost: site.test\r\nContent-Length: 0x1\r\n\r\na${smuggled}`],
  [
    'an unknown coding',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'two codings',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a list of codings',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  [
    'a chunked body in HTTP/1.0',
    `POST /a HTTP/1.0\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
  ['a blank before the colon', `POST /a HTTP/1.1\r\nHost : site.test\r\nContent-Length : 3\r\n\r\nabc${smuggled}`],
  [
    'a chunk that is too long',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n${smuggled}`,
  ],
  [
    'a chunk of a negative size',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n${smuggled}`,
  ],
  ['two hosts', `GET /a HTTP/1.1\r\nHost: site.test\r\nHost: other.test\r\n${end}`],
  ['no host', `GET /a HTTP/1.1\r\n${end}`],
  ['an empty host', `GET /a HTTP/1.1\r\nHost:\r\n${end}`],
  ['a host with a path', `GET /a HTTP/1.1\r\nHost: site.test/other.test\r\n${end}`],
  ['a host with a user', `GET /a HTTP/1.1\r\nHost: user@other.test:80\r\n${end}`],
  ['a NUL in a field', `GET /a HTTP/1.1\r\nHost: site.test\r\nX-A: a\0b\r\n${end}`],
  ['a NUL in the path', `GET /a%00b HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['a line break in the path', `GET /a%0d%0aX:b HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['a method in lower case', `get /a HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['CONNECT', `CONNECT other.test:443 HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['TRACE', `TRACE /a HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['a path above the root', `GET /../../etc/passwd HTTP/1.1\r\nHost: site.test\r\n${end}`],
  ['HTTP/3.7', `GET /a HTTP/3.7\r\nHost: site.test\r\n${end}`],
  [
    'a folded Transfer-Encoding',
    `POST /a HTTP/1.1\r\nHost: site.test\r\nTransfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n${smuggled}`,
  ],
]

test.each(refused)('%s is refused, and nothing after it is parsed as a request', async (_name, request) => {
  const before = origin.asked.length
  const answer = await send(request)
  // nginx refuses some of them after connecting to the origin, or without a response (444).
  expect(statuses(answer).filter((status) => status < 400)).toEqual([])
  expect(statuses(answer).length).toBeLessThanOrEqual(1)
  expect(origin.asked.slice(before).map(({ url }) => url)).not.toContain('/smuggled')
})

test.each([
  'transfer-encoding',
  'Content-Length',
  'host',
  'X-Forwarded-For',
  'x-real-ip',
  'cookie',
  'Authorization',
  'close, Trailer',
])('a Connection that names %s is refused', async (name) => {
  const answer = await send(`GET /a HTTP/1.1\r\nHost: site.test\r\nConnection: ${name}\r\nConnection: close\r\n\r\n`)
  expect(statuses(answer)).toEqual([400])
})

test.each(['/cached', '/direct'])('Connection on %s cannot remove headers set by the edge', async (path) => {
  const before = origin.asked.length
  // The check does not see the second line; the edge sends its own Connection header in any case.
  const named = 'Connection: close\r\nConnection: cdn-loop, x-forwarded-for, x-request-id, if-none-match\r\n'
  const answer = await send(
    `GET ${path}?named HTTP/1.1\r\nHost: site.test\r\n${named}Keep-Alive: 5\r\nTE: trailers\r\n\r\n`,
  )
  expect(statuses(answer)).toEqual([200])
  const { headers } = origin.asked[before]!
  expect(headers['x-forwarded-for']).toBe('127.0.0.1')
  expect(headers['cdn-loop']).toContain('breakwater')
  expect(['keep-alive', 'close', undefined]).toContain(headers.connection)
  expect(headers).not.toHaveProperty('keep-alive')
  expect(headers).not.toHaveProperty('te')
})

test('the absolute form determines the host for the site and the origin', async () => {
  const before = origin.asked.length
  const answer = await send(`GET http://other.test/absolute HTTP/1.1\r\nHost: site.test\r\n${end}`)
  expect(statuses(answer)).toEqual([200])
  expect(origin.asked[before]!.headers.host).toContain('other.test')
  expect(origin.asked[before]!.url).toBe('/absolute')
})

test('two requests in one packet are parsed separately', async () => {
  const answer = await send(
    `POST /first HTTP/1.1\r\nHost: site.test\r\nContent-Length: 4\r\n\r\nbodyGET /second HTTP/1.1\r\nHost: site.test\r\n${end}`,
  )
  expect(statuses(answer)).toEqual([200, 200])
  expect(answer).toMatch(/origin \/first[\s\S]*origin \/second/)
})

test('fields with underscores or forbidden characters never reach the origin', async () => {
  const before = origin.asked.length
  const odd = 'X_Forwarded_For: 192.0.2.1\r\nTransfer_Encoding: chunked\r\nX-B@d: 1\r\n'
  expect(statuses(await send(`GET /odd HTTP/1.1\r\nHost: site.test\r\n${odd}${end}`))).toEqual([200])
  const names = Object.keys(origin.asked[before]!.headers)
  expect(names.filter((name) => name.includes('_') || name.includes('@'))).toEqual([])
})
