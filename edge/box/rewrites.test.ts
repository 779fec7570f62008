/** Proxy rewrites on the wire: the origin gets a different path, and nothing else is affected. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'
import { ask, cacheOf, versions } from './transparent/ask.ts'

let box: Box
let origin: StubOrigin
let artefact: string

beforeAll(async () => {
  origin = await StubOrigin.start((request, response, asked) => {
    response.setHeader('cache-control', request.url?.includes('live') ? 'no-store' : 'max-age=60')
    response.end(`${request.method} ${asked.url} ${asked.body}`)
  })
  box = await Box.start({ workers: 1 }, (disk) => {
    const entry = disk.site({
      ...{ origins: [{ port: origin.port }], requires: ['proxyRewrites'] },
      rewrites: [
        { id: 1, urlRegex: '^/assets/(.*)$', target: '/static/v2/$1' },
        { id: 2, urlRegex: '^/static/', target: '/never' },
        { id: 3, urlRegex: '^/search$', target: '/find?kind=page&$query' },
        { id: 4, urlRegex: '^/by-host', target: '/$host$path' },
        { id: 5, urlRegex: '^/item-([a-z]+)-([0-9]+)', target: '/$2/$1?fixed=1' },
      ],
      cache: [{ id: 1, prefixes: ['/assets/'], extensions: [], ttl: 60, ignoreQuery: false }],
      firewall: { denyRules: [{ id: 9, urlRegex: '^/static/v2', methods: [], ips: ['127.0.0.0/8'], mode: 'enforce' }] },
    })
    artefact = entry.artefact ?? ''
    disk.feed(entry)
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const get = (path: string, version: (typeof versions)[number] = '1.1', more = {}) =>
  ask(box, version, 'site.test', { path, ...more })
const asked = async (path: string, version?: (typeof versions)[number]) => (await get(path, version)).body.toString()

test.each(versions)('the first matching rule rewrites, once, over HTTP/%s', async (version) => {
  const on = version === '2' ? 'b' : 'a'
  expect(await asked(`/assets/${on}/live.css`, version)).toBe(`GET /static/v2/${on}/live.css `)
  expect(await asked(`/assets/${on}.css?v=1`, version)).toBe(`GET /static/v2/${on}.css?v=1 `)
  expect(await asked('/search?q=live%20a', version)).toBe('GET /find?kind=page&q=live%20a ')
  expect(await asked(`/by-host/${on}`, version)).toBe(`GET /site.test/by-host/${on} `)
  expect(await asked(`/item-blue-7${on}?x=1`, version)).toBe('GET /7/blue?fixed=1 ')
  expect(await asked(`/other/${on}%2F//x`, version)).toBe(`GET /other/${on}%2F//x `)
})

test('a body is sent to the rewritten path', async () => {
  const answer = await get('/assets/upload', '1.1', { method: 'POST', body: 'data' })
  expect(answer.body.toString()).toBe('POST /static/v2/upload data')
})

test('visitor input cannot escape from the path of the rule', async () => {
  expect(await asked('/assets/a%3Fadmin=1')).toBe('GET /static/v2/a%3Fadmin=1 ')
  expect((await get('/assets/a%0d%0aX-Evil:%201')).status).toBe(400)
  expect(await asked('/assets/a%20HTTP/1.1')).toBe('GET /static/v2/a%20HTTP/1.1 ')
  expect(await asked('/assets/%252e%252e/x')).toBe('GET /static/v2/%252e%252e/x ')
  expect(await asked('/assets/x/../b')).toBe('GET /static/v2/b ')
})

test('cache, rules, purges and the log use the visitor’s URL', async () => {
  const first = await get('/assets/kept.css')
  expect([cacheOf(first), cacheOf(await get('/assets/kept.css'))]).toEqual(['MISS', 'HIT'])
  expect((await get('/static/v2/kept.css')).status).toBe(403)
  const record = { id: 1, site: 1, type: 'url' as const, values: ['site.test/assets/kept.css'] }
  box.disk.purges(record)
  await box.control('POST', '/purge', { purges: [record] })
  expect(cacheOf(await get('/assets/kept.css'))).toBe('MISS')
  await until('the row of the visitor’s URL', () => box.rows().some(({ path }) => path === '/assets/kept.css'))
  expect(box.rows().some(({ path }) => path === '/static/v2/kept.css')).toBe(true)
  expect(box.rows().filter(({ path, status }) => path.startsWith('/static/v2') && status === 200)).toEqual([])
})

test('Explain shows the rule and the rewritten target', async () => {
  const request = {
    ...{ site: 1, host: 'site.test', address: '198.51.100.7', method: 'GET', path: '/assets/a b', query: 'c=1' },
    ...{ headers: {}, time: Date.now() / 1000, country: 'TW' },
  }
  const told = await box.control<{ verdict: string; originTarget: string; steps: object[] }>('POST', '/explain', {
    ...{ artefact, request },
  })
  expect([told.verdict, told.originTarget]).toEqual(['pass', '/static/v2/a%20b?c=1'])
  expect(told.steps.at(-1)).toMatchObject({ guard: 'proxyRewrites', outcome: 'rewrite', rule: 1 })
})
