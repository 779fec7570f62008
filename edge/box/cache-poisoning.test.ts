/** A request never changes what other visitors get from the cache, and no personal page is stored for others. */
import { clientAddressHeaders, unkeyedHeaders } from '@breakwater/contract/edge/header-names.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

/** An origin whose responses depend on the request, and are cacheable if the path says so. */
beforeAll(async () => {
  origin = await StubOrigin.start((request, response, asked) => {
    const url = asked.url
    const who = /session=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? 'nobody'
    if (url.startsWith('/echo')) {
      const { host: _, 'x-request-id': __, ...headers } = request.headers
      response.setHeader('cache-control', 'public, max-age=60').setHeader('content-type', 'text/html')
      return response.end(JSON.stringify(headers))
    }
    if (url.includes('real')) response.setHeader('content-type', url.includes('.png') ? 'image/png' : 'text/css')
    else response.setHeader('content-type', 'text/html; charset=utf-8')
    if (url.includes('public')) response.setHeader('cache-control', 'public, max-age=60')
    if (url.includes('aged')) response.setHeader('cache-control', 'max-age=60')
    response.end(`page of ${who}`)
  })
  const origins = [{ port: origin.port }]
  const rule = { prefixes: [], extensions: ['css', 'png'], ttl: 600, ignoreQuery: false }
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({ origins, cache: [{ ...rule, id: 1 }] }),
      disk.site({ site: 2, hosts: ['signed-in.test'], origins, cache: [{ ...rule, id: 1, forSignedIn: true }] }),
      disk.site({ site: 3, hosts: ['keyed.test'], origins, settings: { keyedHeaders: ['x-forwarded-prefix'] } }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const alice = { cookie: 'theme=dark; session=alice' }
const bodyOf = async (path: string, headers: Record<string, string> = {}, host = 'site.test') =>
  (await box.request(host, path, { headers })).text

test.each([
  '/account/x.css',
  '/account/x.png',
  '/account;x.css',
  '/account/..%2Fx.css',
  '/account%2Fx.css',
  '/account%00.css',
  '/account/%0a.css',
  '/account/x.css?y=1',
  '/account//x.css',
  '/account/.css',
  '/account/x.CSS',
  '/account%3Bx.css',
  '/account/static/..%2F..%2Faccount/x.css',
])('a signed-in visitor’s page is not stored under %s', async (path) => {
  await bodyOf(path, alice)
  expect(await bodyOf(path)).not.toContain('alice')
})

test('with a session or credentials only public responses are stored', async () => {
  for (const headers of [alice, { authorization: 'Bearer alice' }] as Record<string, string>[]) {
    const kind = Object.keys(headers)[0]
    for (const path of [`/real-${kind}.css`, `/aged-${kind}`]) {
      await bodyOf(path, headers)
      expect((await box.request('site.test', path)).headers['x-cache'], path).not.toBe('HIT')
    }
    await bodyOf(`/public-${kind}`, headers)
    expect((await box.request('site.test', `/public-${kind}`)).headers['x-cache']).toBe('HIT')
    await bodyOf(`/real-${kind}.css`, headers, 'signed-in.test')
    expect((await box.request('signed-in.test', `/real-${kind}.css`)).headers['x-cache']).toBe('HIT')
  }
})

test('no header known from cache poisoning reaches the origin on a cacheable request', async () => {
  const names = [...unkeyedHeaders, ...clientAddressHeaders]
  for (let at = 0; at < names.length; at += 40) {
    const some = names.slice(at, at + 40)
    const headers = Object.fromEntries(some.map((name) => [name, 'poison.test']))
    const seen = Object.keys(JSON.parse(await bodyOf(`/echo-${at}`, headers)) as object)
    expect(seen.filter((name) => some.includes(name) && !name.startsWith('x-forwarded-for'))).toEqual([])
  }
})

test('a header that a site allows reaches the origin, and each value has its own cache entry', async () => {
  const ask = async (value: string) => {
    const reply = await box.request('keyed.test', '/echo', { headers: { 'x-forwarded-prefix': value } })
    return [(JSON.parse(reply.text) as Record<string, string>)['x-forwarded-prefix'], reply.headers['x-cache']]
  }
  expect(await ask('/a')).toEqual(['/a', 'MISS'])
  expect(await ask('/b')).toEqual(['/b', 'MISS'])
  expect(await ask('/a')).toEqual(['/a', 'HIT'])
})

test('a request loop through the edge ends after a few rounds, whatever a site sets', async () => {
  const own = [{ port: box.settings.httpPort }]
  const headers = ['CDN-Loop', 'cdn-loop', 'Via', 'Connection', 'X-BW-Relay'].map((key, i) => ({
    ...{ id: i + 1, type: 'request' as const, key, value: '' },
  }))
  await box.control('POST', '/apply', {
    entries: [box.disk.site({ site: 5, hosts: ['circle.test'], origins: own, headers })],
  })
  const before = (await box.state()).requests
  expect((await box.request('circle.test', '/', { method: 'POST', body: 'x' })).status).toBe(502)
  const { requests } = await box.state()
  expect(requests - before).toBeLessThan(20)
})
