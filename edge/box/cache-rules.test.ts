/** Each field of a cache rule on the wire: what is stored, under which key, for how long, and what browsers get. */

import type { CacheExplanation } from '@breakwater/contract/edge/cache-simulation.ts'
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until, type Visit } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let artefact: string
let origin: StubOrigin
/** Paths for which the origin fails from now on. */
const failing = new Set<string>()
let asked = 0

const rule = (id: number, path: string, fields: Partial<EdgeCacheRule> = {}): EdgeCacheRule => ({
  ...{ id, prefixes: [path], extensions: [], ttl: 600, ignoreQuery: false },
  ...fields,
})

beforeAll(async () => {
  origin = await StubOrigin.start((request, response, { url }) => {
    const path = url.split('?')[0]!
    asked += 1
    const said = /control=([^&]*)/.exec(url)?.[1]
    if (said !== undefined) response.setHeader('cache-control', decodeURIComponent(said))
    if (path === '/etag/a') {
      response.setHeader('etag', '"a"')
      if (request.headers['if-none-match'] === '"a"') return response.writeHead(304).end()
    }
    if (url.includes('behind')) response.setHeader('cache-status', 'inner; hit')
    if (path === '/aged/a') response.setHeader('age', '100').setHeader('expires', new Date(0).toUTCString())
    response.statusCode = failing.has(path) ? 500 : Number(/status=(\d+)/.exec(url)?.[1] ?? 200)
    response.setHeader('content-type', 'text/html').end(`${asked}`)
  })
  const statuses = [
    { status: 404, ttl: 600 },
    { status: 503, ttl: 600 },
    { status: 301, ttl: 0 },
  ]
  const cache: EdgeCacheRule[] = [
    rule(1, '', { prefixes: [], paths: ['/exact'], ttl: 0 }),
    rule(2, '', { prefixes: [], patterns: ['^/(exact|pattern-[0-9]+)$'] }),
    rule(3, '/only/', { query: { only: true, names: ['a'] } }),
    rule(4, '/except/', { query: { only: false, names: ['utm_*'] } }),
    rule(5, '/header/', { keyHeaders: ['accept-language', 'x-tenant'] }),
    rule(6, '/cookie/', { keyCookies: ['theme'] }),
    rule(7, '/device/', { keyDevice: true }),
    rule(8, '/browser/', { browserTtl: 30 }),
    rule(9, '/aged/', { browserTtl: 30 }),
    rule(10, '/etag/', { ttl: 1, browserTtl: 30 }),
    rule(11, '/respect/', { respectsOrigin: true, ttl: 600, browserTtl: 30 }),
    rule(12, '/statuses/', { statuses }),
    rule(13, '/listed/', { ttl: 0, statuses }),
    rule(14, '/get/', { skipsHead: true }),
    rule(15, '/bypass/', {
      ignoreQuery: true,
      bypass: { cookies: ['logged_in_*'], headers: ['x-preview'], query: ['preview'] },
    }),
    rule(16, '/renew/', { ttl: 1, staleWhileRevalidate: 600 }),
    rule(17, '/error/', { ttl: 1, staleIfError: 600 }),
    rule(18, '/never/', { ttl: 0, browserTtl: 30 }),
  ]
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({ origins: [{ port: origin.port }], cache })
    artefact = entry.artefact!
    const asSeenBy = (site: number, host: string, networks: string[]) =>
      disk.site({
        ...{ site, hosts: [host], origins: [{ port: origin.port }], cache },
        settings: { cacheStatus: { networks } },
      })
    disk.feed(entry, asSeenBy(2, 'told.test', ['127.0.0.0/8']), asSeenBy(3, 'untold.test', ['192.0.2.0/24']))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, headers: Record<string, string> = {}, visit: Visit = {}) =>
  box.request('site.test', path, { ...visit, headers })
const look = async (path: string, headers: Record<string, string> = {}, visit: Visit = {}) =>
  (await get(path, headers, visit)).headers['x-cache']

/** Sends requests in sequence. Returns for each the index of the first one with the same response. */
async function shared(...requests: [path: string, headers?: Record<string, string>][]): Promise<number[]> {
  const bodies: string[] = []
  for (const [path, headers] of requests) bodies.push((await get(path, headers)).text)
  return bodies.map((body) => bodies.indexOf(body))
}

test('exact paths and expressions are matched in rule order', async () => {
  expect([await look('/exact'), await look('/exact')]).toEqual(['DIRECT', 'DIRECT'])
  expect([await look('/pattern-1'), await look('/pattern-1')]).toEqual(['MISS', 'HIT'])
  expect([await look('/pattern-x'), await look('/exact/'), await look('/exact/')]).not.toContain('HIT')
})

test('only the query parameters that a rule lists are part of the key', async () => {
  expect(await shared(['/only/p?a=1'], ['/only/p?a=1&b=2'], ['/only/p?b=3&a=1'], ['/only/p?a=2'], ['/only/p'])).toEqual(
    [0, 0, 0, 3, 4],
  )
  // An origin may read these as `a` all the same.
  expect(await shared(['/only/q'], ['/only/q?b=1'], ['/only/q?%61=1'], ['/only/q?A=1'], ['/only/q?b=1;a=1'])).toEqual([
    0, 0, 2, 3, 4,
  ])
})

test('all query parameters but the excluded ones are part of the key, and one purge covers all variants', async () => {
  const urls = ['/except/p?a=1', '/except/p?utm_source=x&a=1', '/except/p', '/except/p?utm_medium=y'] as const
  expect(await shared(...urls.map((url): [string] => [url]))).toEqual([0, 0, 2, 2])
  const purge = { id: 7, site: 1, type: 'url' as const, values: ['site.test/except/p?a=1&utm_source=other'] }
  await box.control('POST', '/purge', { purges: [purge] })
  expect(await look('/except/p?a=1')).toBe('MISS')
})

test('a rule’s headers, cookies and device types get separate cache entries', async () => {
  expect(
    await shared(
      ['/header/p', { 'accept-language': 'de' }],
      ['/header/p', { 'accept-language': 'de', 'x-other': '1' }],
      ['/header/p', { 'accept-language': 'fr' }],
      ['/header/p', { 'x-tenant': 'de' }],
      ['/header/p'],
    ),
  ).toEqual([0, 0, 2, 3, 4])
  expect(
    await shared(
      ['/cookie/p', { cookie: 'theme=dark' }],
      ['/cookie/p', { cookie: '_ga=1; theme=dark' }],
      ['/cookie/p', { cookie: 'theme=light' }],
      ['/cookie/p'],
    ),
  ).toEqual([0, 0, 2, 3])
  const phone = { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Mobile/15E148' }
  const tablet = { 'user-agent': 'Mozilla/5.0 (Linux; Android 14; SM-X710) Safari/537.36' }
  expect(await shared(['/device/p', phone], ['/device/p', tablet], ['/device/p'], ['/device/p', phone])).toEqual([
    0, 1, 2, 0,
  ])
})

test('a visitor with a cookie outside the key still gets a personal response', async () => {
  const session = { cookie: 'theme=dark; session=alice' }
  const own = (await get('/cookie/own', session)).text
  expect((await get('/cookie/own', { cookie: 'theme=dark' })).text).not.toBe(own)
})

test('browsers get their own TTL, counted from when they received the response', async () => {
  for (const path of ['/browser/a', '/aged/a', '/browser/b?control=max-age%3D5%2C%20public', '/never/a']) {
    for (let round = 0; round < 2; round++) {
      const { headers } = await get(path)
      expect(headers['cache-control'], path).toBe(path.includes('public') ? 'max-age=30, public' : 'max-age=30')
      expect([headers.age, headers.expires], path).toEqual([undefined, undefined])
      expect(Math.abs(Date.parse(`${headers.date}`) - Date.now())).toBeLessThan(5000)
    }
    expect(await look(path), path).toBe(path === '/never/a' ? 'DIRECT' : 'HIT')
  }
  for (const word of ['private', 'no-store'])
    expect((await get(`/browser/c?control=${word}`)).headers['cache-control']).toBe(word)
})

test('a revalidated object gets the rule’s TTL again, and browsers get the same header', async () => {
  expect(await look('/etag/a')).toBe('MISS')
  let headers: Awaited<ReturnType<typeof get>>['headers'] = {}
  // The rule's second may be over before the next request of a slow machine.
  await until('a hit that follows a revalidation', async () => {
    if ((await look('/etag/a')) !== 'REVALIDATED') return false
    headers = (await get('/etag/a')).headers
    return headers['x-cache'] === 'HIT'
  })
  expect([headers['cache-control'], headers.age]).toEqual(['max-age=30', undefined])
})

test('if the origin is respected, its lifetime overrides the rule’s', async () => {
  const own = await get('/respect/a?control=max-age%3D1')
  expect(own.headers['cache-control']).toBe('max-age=1')
  await until('its end', async () => ['EXPIRED', 'MISS'].includes(`${await look('/respect/a?control=max-age%3D1')}`))
  expect((await get('/respect/b')).headers['cache-control']).toBe('max-age=30')
  expect(await look('/respect/b')).toBe('HIT')
})

test('statuses have their own TTLs', async () => {
  const twice = async (path: string) => [await look(path), await look(path)][1]
  for (const status of [200, 404, 503]) expect(await twice(`/statuses/a?status=${status}`), `${status}`).toBe('HIT')
  for (const status of [301, 500]) expect(await twice(`/statuses/a?status=${status}`), `${status}`).not.toBe('HIT')
  expect(await twice('/listed/a?status=404')).toBe('HIT')
  for (const status of [200, 301, 302])
    expect(await twice(`/listed/a?status=${status}&control=max-age%3D60`), `${status}`).not.toBe('HIT')
})

test('HEAD is answered from the cache unless a rule allows only GET', async () => {
  for (const [path, expected] of [
    ['/browser/head', 'HIT'],
    ['/get/head', 'DIRECT'],
  ] as const) {
    await get(path)
    expect(await look(path, {}, { method: 'HEAD' })).toBe(expected)
  }
})

test('a cookie, a header or a parameter bypasses the cache, and the response is not shared', async () => {
  const odd: [string, Record<string, string>?][] = [
    ['/bypass/a', { cookie: 'logged_in_7=x' }],
    ['/bypass/a', { 'x-preview': '1' }],
    ['/bypass/a?preview=1'],
    ['/bypass/a?x=1&%70review'],
    ['/bypass/a?x;preview[]=1'],
  ]
  const own: string[] = []
  for (const [path, headers] of odd) {
    const reply = await get(path, headers)
    own.push(reply.text)
    expect(reply.headers['x-cache'], path).not.toBe('HIT')
  }
  const stored = (await get('/bypass/a')).text
  expect(own).not.toContain(stored)
  expect(await look('/bypass/a?other=1')).toBe('HIT')
  for (const [path, headers] of odd) expect((await get(path, headers)).text, path).not.toBe(stored)
})

test('expired objects are served during revalidation or origin errors, as long as a rule allows', async () => {
  const first = await get('/renew/a')
  expect(first.headers['cache-control']).toBeUndefined()
  await until('a stale answer', async () => ['STALE', 'UPDATING'].includes(`${await look('/renew/a')}`))
  await until('its renewal', async () => (await get('/renew/a')).text !== first.text)
  const kept = await get('/error/a')
  failing.add('/error/a')
  let stale = await get('/error/a')
  await until('an answer in place of an error', async () => {
    stale = await get('/error/a')
    return stale.headers['x-cache'] === 'STALE'
  })
  expect([stale.status, stale.text, stale.headers['cache-control']]).toEqual([200, kept.text, undefined])
})

const explain = (path: string, { method = 'GET', headers = {}, answer = {}, status = 200 } = {}) => {
  const [bare = '', query = ''] = path.split('?')
  const request = {
    site: 1,
    host: 'site.test',
    scheme: 'http',
    address: '192.0.2.1',
    method,
    path: bare,
    query,
    headers,
  }
  return box.control<Partial<CacheExplanation>>('POST', '/cache', {
    ...{ artefact, request: { ...request, time: Date.now() / 1000, country: '' } },
    answer: { status, headers: { 'content-type': 'text/html', ...answer } },
  })
}

test('the prediction for a request matches what happens to it', async () => {
  const asks: [path: string, headers?: Record<string, string>, method?: string][] = [
    ['/exact'],
    ['/pattern-7'],
    ['/only/s?a=1&b=2'],
    ['/except/s?utm_source=1', { 'x-other': '1' }],
    ['/header/s', { 'accept-language': 'de' }],
    ['/cookie/s', { cookie: 'theme=dark' }],
    ['/cookie/t', { cookie: 'theme=dark; session=1' }],
    ['/bypass/s', { cookie: 'logged_in_1=2' }],
    ['/bypass/t?preview=1'],
    ['/get/s', {}, 'HEAD'],
    ['/browser/s', { upgrade: 'websocket', connection: 'upgrade' }],
    ['/none/s'],
    ['/browser/t', {}, 'POST'],
    ['/browser/u'],
  ]
  for (const [path, headers = {}, method = 'GET'] of asks) {
    const told = await explain(path, { method, headers })
    await get(path, headers, { method })
    const twice = (await get(path, headers, { method })).headers
    expect(told.around === undefined && told.isStored === true, `${path} ${told.around} ${told.why}`).toBe(
      twice['x-cache'] === 'HIT',
    )
    if (told.browserControl !== undefined) expect(twice['cache-control'], path).toBe(told.browserControl)
  }
})

test('the explanation contains the rule, the key, the TTLs and the reason', async () => {
  expect(await explain('/only/s?b=2&a=1')).toMatchObject({
    ...{ rule: 3, key: 'i1|site.test/only/s ?+a?a=1', isStored: true, why: 'rule', ttl: 600 },
  })
  expect(await explain('/bypass/s', { headers: { 'X-Preview': '1' } })).toMatchObject({
    around: 'bypassHeader',
    rule: 15,
  })
  expect(await explain('/never/a')).toMatchObject({ around: 'ruleForbids', rule: 18 })
  expect(await explain('/respect/a', { answer: { 'cache-control': 'max-age=7' } })).toMatchObject({
    ...{ rule: 11, why: 'origin', ttl: 7, browserControl: 'max-age=7' },
  })
  expect(await explain('/renew/a')).toMatchObject({ ttl: 1, staleWhileRevalidate: 600, staleIfError: 600 })
  expect(await explain('/statuses/a', { status: 503 })).toMatchObject({ why: 'rule', ttl: 600 })
  for (const [answer, why] of [
    [{ 'cache-control': 'no-store' }, 'noStore'],
    [{ 'set-cookie': 'a=1' }, 'setCookie'],
    [{ vary: '*' }, 'varyAll'],
  ] as const)
    expect(await explain('/browser/x', { answer })).toMatchObject({ isStored: false, why, rule: 8 })
  expect(await explain('/browser/x', { headers: { authorization: 'Bearer x' } })).toMatchObject({ why: 'personal' })
  expect(await explain('/elsewhere')).toMatchObject({ rule: 0, isStored: false, why: 'noTime' })
})

/** The `cache-status` of a response, without the parts that differ between runs. */
async function told(path: string, headers: Record<string, string> = {}, visit: Visit = {}, host = 'told.test') {
  const said = (await box.request(host, path, { ...visit, headers })).headers['cache-status'] as string | undefined
  return said?.replace(/ttl=(5\d\d|600)/, 'ttl=T').replace(/key="http\|[^"]*?\|([iu]2\|)/, 'key="$1')
}

test('Cache-Status reports how a request was handled and why, to networks that the site allows', async () => {
  const of = (path: string, rule: number, why = 'rule') => `key="u2|told.test${path}"; detail="rule=${rule} why=${why}"`
  const stored = (path: string, rule: number) => [
    `breakwater; fwd=miss; fwd-status=200; stored; ttl=T; ${of(path, rule)}`,
    `breakwater; hit; ttl=T; ${of(path, rule)}`,
  ]
  expect([await told('/get/a'), await told('/get/a')]).toEqual(stored('/get/a', 14))
  // The entries of caches in front of the origin come first; they are stored without ours.
  const behind = [await told('/get/b?behind'), await told('/get/b?behind')]
  expect(behind).toEqual(stored('/get/b?behind', 14).map((text) => `inner; hit, ${text}`))
  // Characters not allowed in a header are encoded.
  expect(await told('/get/%22%C3%A9')).toContain('%7Cu2%7Ctold.test%2Fget%2F%22%C3%A9')

  const refused = (why: string, fwd = 'bypass') => `breakwater; fwd=${fwd}; fwd-status=200; detail="${why}"`
  expect(await told('/bypass/a', { 'x-preview': '1' })).toBe(refused('rule=15 why=bypassHeader'))
  expect(await told('/never/a')).toBe(refused('rule=18 why=ruleForbids'))
  expect(await told('/get/a', {}, { method: 'POST', body: 'x' })).toBe(refused('rule=14 why=method', 'method'))
  const path = '/get/c?control=no-store'
  const missed = `breakwater; fwd=miss; fwd-status=200; ${of(path, 14, 'noStore')}`
  expect([await told(path), await told(path)]).toEqual([missed, missed.replace('noStore"', 'noStore remembered"')])
  expect(await told('/elsewhere')).toBe(`breakwater; fwd=miss; fwd-status=200; ${of('/elsewhere', 0, 'noTime')}`)

  await told('/etag/a')
  let renewed: string | undefined
  await until('a revalidation', async () => {
    renewed = await told('/etag/a')
    return renewed?.includes('fwd=stale') === true
  })
  expect(renewed).toMatch(/^breakwater; fwd=stale; fwd-status=304; ttl=[01]; .*detail="rule=10 why=rule"$/)
  // The remaining TTL is that of the 304, not of the stored response.
  expect(await told('/etag/a')).toMatch(/ ttl=[-01]+; /)

  for (const host of ['site.test', 'untold.test']) {
    for (const asked of ['/get/a', '/get/a', '/never/a']) expect(await told(asked, {}, {}, host)).toBeUndefined()
  }
  const { headers } = await box.request('told.test', '/get/a')
  expect(Object.keys(headers).filter((name) => name.startsWith('x-bw-'))).toEqual([])
})
