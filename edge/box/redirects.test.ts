/** URL redirects on the wire: before the cache and the origin, after the guards. */
import type { EdgeRedirect } from '@breakwater/contract/edge/module-parts.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, header, versions } from './transparent/ask.ts'

const rule = (id: number, match: EdgeRedirect['match'], value: string, target: string, more = {}): EdgeRedirect => ({
  ...{ id, match, value, target, status: 301, keepQuery: true },
  ...more,
})
const redirects = [
  rule(1, 'exact', '/old.html', '/new'),
  rule(2, 'regex', '^/shop/([a-z]+)/(.*)$', 'https://$1.example.com/$2', { status: 308 }),
  rule(3, 'prefix', '/blog/', '/news/', { status: 302, keepQuery: false }),
  rule(4, 'regex', '^/go(.*)$', '/$1', { status: 307 }),
  rule(5, 'prefix', '/denied/', '/elsewhere'),
  ...Array.from({ length: 2995 }, (_, n) => rule(100 + n, 'exact', `/page-${n}`, `/moved/${n}`)),
]

/** As many as a site may have, each of which would have to be matched. */
const expressions = Array.from({ length: 3000 }, (_, n) =>
  rule(1 + n, 'regex', n === 2000 ? '^/item-7-[0-9]+$' : `^/item-${n}-[0-9]+$`, `/moved/${n}`),
)

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response) => {
    response.setHeader('cache-control', 'max-age=60').end('origin')
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({
      origins: [{ port: origin.port }],
      redirects,
      requires: ['urlRedirects'],
      headers: [{ id: 1, type: 'response', key: 'X-Own', value: 'here' }],
      firewall: { denyRules: [{ id: 9, urlRegex: '^/denied/', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' }] },
    })
    artefact = entry.artefact ?? ''
    const many = { site: 2, hosts: ['many.test'], redirects: expressions, requires: ['urlRedirects'] }
    disk.feed(entry, disk.site({ ...many, origins: [{ port: origin.port }] }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, version: (typeof versions)[number] = '1.1', more = {}) =>
  ask(box, version, 'site.test', { path, ...more })

test.each(versions)('the first matching rule redirects with its status and target, over HTTP/%s', async (version) => {
  for (const [path, status, location] of [
    ['/old.html', 301, '/new'],
    ['/old.html?a=1', 301, '/new?a=1'],
    ['/shop/uk/a%20b?x=%2F', 308, 'https://uk.example.com/a%20b?x=%2F'],
    ['/blog/2020/?page=2', 302, '/news/'],
    ['/page-2994', 301, '/moved/2994'],
  ] as const) {
    const answer = await get(path, version)
    expect([path, answer.status, header(answer, 'location')]).toEqual([path, status, location])
    expect(answer.body.length).toBe(0)
    expect(header(answer, 'x-own')).toBe('here')
  }
  expect(origin.asked).toHaveLength(0)
})

test('requests that match no rule pass, and so do ACME challenges', async () => {
  for (const path of ['/old.htm', '/page-2995', '/.well-known/acme-challenge/x'])
    expect((await get(path)).body.toString()).toBe('origin')
})

test('a path cannot turn a redirect into one to another host', async () => {
  expect(header(await get('/go/%2Fevil.example'), 'location')).not.toMatch(/^\/[/\\]/)
  expect(header(await get('/go%5Cevil.example'), 'location') ?? '/').not.toMatch(/^\/[/\\]/)
  expect(header(await get('/go/a%0D%0ASet-Cookie:b'), 'location') ?? '').not.toContain('\n')
})

test('guards run first', async () => {
  expect((await get('/denied/x')).status).toBe(403)
})

test('POST is redirected too, and its body is discarded', async () => {
  const answer = await get('/shop/uk/pay', '1.1', { method: 'POST', body: 'card=1' })
  expect([answer.status, header(answer, 'location')]).toEqual([308, 'https://uk.example.com/pay'])
})

test('Explain names the rule and its location', async () => {
  const explained = await box.control<{ verdict: string; location: string; steps: { guard: string; rule: number }[] }>(
    'POST',
    '/explain',
    {
      artefact,
      request: {
        ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path: '/shop/uk/a', query: 'b=1' },
        ...{ headers: {}, time: Date.now() / 1000, country: 'TW' },
      },
    },
  )
  expect(explained).toMatchObject({ verdict: 'redirect', location: 'https://uk.example.com/a?b=1' })
  expect(explained.steps).toContainEqual(
    expect.objectContaining({ guard: 'urlRedirects', outcome: 'redirect', rule: 2 }),
  )
})

test('of 3,000 expressions the last one works, the first of two matches wins, and other paths pass', async () => {
  const ask = (path: string) => box.request('many.test', path)
  expect((await ask('/item-2999-1')).headers.location).toBe('/moved/2999')
  expect((await ask('/item-7-1')).headers.location).toBe('/moved/7')
  expect((await ask('/item-2999-x')).text).toBe('origin')
})
