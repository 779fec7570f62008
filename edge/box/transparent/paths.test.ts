/** The origin gets the path as the visitor sent it; guards and purges use the canonical one. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { ask, cacheOf, header, type Version, versions } from './ask.ts'
import { plainAnswer, RawOrigin } from './raw-origin.ts'

const paths = [
  '/a%2Fb//c%3Bd/../e',
  '/api/v4/projects/group%2Fproject/repository/files/src%2Fmain.c/raw?ref=main',
  '/api/queues/%2F/orders',
  '/bucket/a//b',
  '/bucket//',
  '//double/slash',
  '/bucket/a;b=c,d/e',
  '/bucket/a%3Bb',
  '/a%20b+c%2Bd',
  '/%E4%BD%A0%E5%A5%BD/%e4%bd%a0',
  '/%7Euser/%41%2d%2e%5F',
  '/a/./b/../c/.',
  '/a/%2e%2e/b',
  '/a/%2E./b',
  '/a/...//b',
  '/percent%25%2525',
  '/q?a=%2F&b=//&c=../..&d=%zz&e[]=1&?',
  '/empty?',
  '/encoded%3Fquery',
  '/encoded%23hash',
  "/marks!$&'()*+,;=:@-._~",
  '/quotes"<>^`{|}',
]

let box: Box
let origin: RawOrigin

beforeAll(async () => {
  origin = await RawOrigin.start((socket, { method, target }) => {
    const headers = target.startsWith('/bucket') ? ['Cache-Control: max-age=60'] : ['Cache-Control: no-store']
    socket.write(plainAnswer(`${method} ${target}`, headers))
  })
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ origins: [{ port: origin.port }] }),
      disk.site({
        site: 2,
        hosts: ['direct.test'],
        origins: [{ port: origin.port }],
        cache: [{ id: 1, prefixes: ['/'], extensions: [], ttl: 0, ignoreQuery: false }],
      }),
      disk.site({
        site: 3,
        hosts: ['kept.test'],
        origins: [{ port: origin.port }],
        cache: [{ id: 1, prefixes: ['/'], extensions: [], ttl: 60, ignoreQuery: false }],
      }),
      disk.site({
        site: 4,
        hosts: ['guarded.test'],
        origins: [{ port: origin.port }],
        firewall: {
          denyRules: [{ id: 1, methods: [], mode: 'enforce', urlRegex: '^/admin', ips: ['127.0.0.0/8'] }],
        },
      }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const visit = (version: Version, host: string, path: string, method = 'GET') =>
  ask(box, version, host, { method, path, ...(method === 'POST' && { body: 'x' }) })

test.each(paths)('%s reaches the origin byte for byte', async (path) => {
  const wrong: string[] = []
  for (const version of versions)
    for (const [host, method] of [
      // Before the GET, which may be stored and would then answer it.
      ['site.test', 'HEAD'],
      ['site.test', 'GET'],
      ['site.test', 'POST'],
      ['direct.test', 'GET'],
      ['kept.test', 'GET'],
    ] as const) {
      const before = origin.asked.length
      const answer = await visit(version, host, path, method)
      const asked = origin.asked[before]
      const got =
        asked === undefined ? `nothing (${answer.status} ${cacheOf(answer)})` : `${asked.method} ${asked.target}`
      // The second version of a cached page comes over TLS, which has separate cache entries.
      if (got !== `${method} ${path}`) wrong.push(`${method} of ${host} over HTTP/${version}: ${got}`)
    }
  expect(wrong).toEqual([])
})

test('bytes above 127 reach the origin unchanged', async () => {
  const raw = Buffer.from('/bucket/你好/é', 'utf8').toString('latin1')
  const socket = connect(box.settings.httpPort, '127.0.0.1')
  socket.write(`GET ${raw} HTTP/1.1\r\nHost: direct.test\r\nConnection: close\r\n\r\n`, 'latin1')
  const [data] = await once(socket, 'data')
  socket.destroy()
  expect(`${data}`).toContain('200 OK')
  expect(origin.asked.at(-1)!.target).toBe(raw)
})

test('the absolute form reaches the origin as its path', async () => {
  const socket = connect(box.settings.httpPort, '127.0.0.1')
  socket.write('GET http://direct.test/a%2Fb//c HTTP/1.1\r\nHost: direct.test\r\nConnection: close\r\n\r\n')
  const [data] = await once(socket, 'data')
  socket.destroy()
  expect(`${data}`).toContain('200 OK')
  expect(origin.asked.at(-1)!.target).toBe('/a%2Fb//c')
})

test.each(['/a%00b', '/%00', '/bucket/x%00.png'])('%s is refused and reaches no origin', async (path) => {
  for (const version of versions)
    for (const [host, method] of [
      ['site.test', 'GET'],
      ['site.test', 'POST'],
      ['direct.test', 'GET'],
    ] as const) {
      const before = origin.asked.length
      expect((await visit(version, host, path, method)).status).toBe(400)
      expect(origin.asked.length).toBe(before)
    }
})

test.each(['/../etc/passwd', '/a/../../b', '/%2e%2e/b'])('%s leads above the root and is refused', async (path) => {
  const before = origin.asked.length
  for (const version of versions) expect((await visit(version, 'site.test', path)).status).toBe(400)
  expect(origin.asked.length).toBe(before)
})

test.each([
  ['/bucket/a/b', '/bucket/a//b'],
  ['/bucket/c/d', '/bucket/c%2Fd'],
  ['/bucket/e/f', '/bucket/e/./f'],
  ['/bucket/g;h', '/bucket/g%3Bh'],
  ['/bucket/i%2Fj', '/bucket/i%2fj'],
])('%s and %s, which an origin may answer differently, have separate cache entries', async (one, other) => {
  for (let i = 0; i < 2; i++)
    for (const path of [one, other]) {
      const answer = await visit('1.1', 'site.test', path)
      expect([answer.body.toString(), cacheOf(answer)]).toEqual([`GET ${path}`, i === 0 ? 'MISS' : 'HIT'])
    }
})

test('an object changed by POST is invalidated under the same spelling', async () => {
  for (let i = 0; i < 2; i++) await visit('1.1', 'site.test', '/bucket/stale%2Fone')
  await visit('1.1', 'site.test', '/bucket/stale%2Fone', 'POST')
  expect(cacheOf(await visit('1.1', 'site.test', '/bucket/stale%2Fone'))).toBe('MISS')
})

test.each(['/admin/x', '//admin', '/x/../admin', '/%61dmin', '/./admin', '/a/..//admin', '/%2fadmin', '/admin%2Fx'])(
  'a rule for /admin also matches %s',
  async (path) => {
    const before = origin.asked.length
    for (const version of versions)
      for (const method of ['GET', 'POST']) {
        const answer = await visit(version, 'guarded.test', path, method)
        expect(answer.status, `${method} over HTTP/${version}`).toBe(403)
        expect(header(answer, 'x-request-id')).toMatch(/^[0-9a-f]{32}$/)
      }
    expect(origin.asked.length).toBe(before)
  },
)
