/** Headers and trailers: the origin's headers arrive once; addresses claimed by visitors are not forwarded. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from '../harness.ts'
import { StubOrigin } from '../origin.ts'
import { ask, header, versions } from './ask.ts'

/** Headers that applications and frameworks use as the client address if so configured. */
const claimed = [
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Connecting-IPv6',
  'CF-Pseudo-IPv4',
  'CF-IPCountry',
  'X-Client-IP',
  'Client-IP',
  'X-Cluster-Client-IP',
  'X-Original-Forwarded-For',
  'X-Originating-IP',
  'X-Remote-IP',
  'X-Remote-Addr',
  'X-ProxyUser-IP',
  'X-Forwarded',
  'Forwarded-For',
  'Forwarded',
  'Fastly-Client-IP',
  'Fly-Client-IP',
  'DO-Connecting-IP',
  'X-Azure-ClientIP',
  'X-Azure-SocketIP',
  'X-Appengine-User-IP',
  'X-Envoy-External-Address',
  'X-NF-Client-Connection-IP',
  'X-Vercel-Forwarded-For',
  'CloudFront-Viewer-Address',
  'Incap-Client-IP',
  'Ali-CDN-Real-IP',
  'CDN-Src-IP',
  'CDN-Real-IP',
  'Proxy-Client-IP',
  'WL-Proxy-Client-IP',
]

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start((request, response) => {
    const url = request.url!
    if (url.startsWith('/trailers')) {
      response.writeHead(200, {
        Trailer: 'X-Sum',
        'Cache-Control': url.endsWith('kept') ? 'max-age=60' : 'no-store',
      })
      response.write('a body with ')
      response.addTrailers({ 'X-Sum': '42' })
      return response.end('a sum')
    }
    if (url.startsWith('/range')) {
      response.setHeader('accept-ranges', 'bytes').setHeader('etag', '"r"')
      response.setHeader('cache-control', url.endsWith('kept') ? 'max-age=60' : 'no-store')
      if (request.headers.range?.startsWith('bytes=900-'))
        return response.writeHead(416, { 'Content-Range': 'bytes */11' }).end()
      return response.setHeader('content-length', 11).end('eleven long')
    }
    response.setHeader('cache-control', 'no-store')
    response.setHeader('set-cookie', ['a=1', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT'])
    response.setHeader('link', ['</a>; rel=preload', '</b>; rel=preload'])
    response.end('plain')
  })
  box = await Box.start({ workers: 1 }, (disk) =>
    disk.feed(
      disk.site({ origins: [{ port: origin.port }] }),
      disk.site({
        site: 2,
        hosts: ['believes.test'],
        origins: [{ port: origin.port }],
        settings: { trustedProxies: ['127.0.0.1'] },
      }),
    ),
  )
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test.each(versions)('trailers are passed on, or not announced, over HTTP/%s', async (version) => {
  for (const [method, path] of [
    ['GET', '/trailers'],
    ['GET', '/trailers'],
    ['GET', '/trailers-kept'],
    ['GET', '/trailers-kept'],
    ['POST', '/trailers'],
  ] as const) {
    const asking = { method, path, headers: { te: 'trailers' }, ...(method === 'POST' && { body: 'x' }) }
    const answer = await ask(box, version, 'site.test', asking)
    expect([answer.status, answer.body.toString()]).toEqual([200, 'a body with a sum'])
    const announced = header(answer, 'trailer')
    expect(answer.trailers, `${method} ${path}`).toEqual(announced === undefined ? [] : [['x-sum', '42']])
  }
})

test.each(versions)('a 416 has each header once, cached or not, over HTTP/%s', async (version) => {
  for (const path of ['/range', '/range', '/range-kept', '/range-kept']) {
    if (path.endsWith('kept')) await ask(box, version, 'site.test', { path })
    const answer = await ask(box, version, 'site.test', { path, headers: { range: 'bytes=900-' } })
    expect([answer.status, header(answer, 'content-range')], path).toEqual([416, 'bytes */11'])
    for (const name of ['x-cache', 'x-request-id', 'date', 'content-type', 'etag'])
      expect(answer.lines.filter(([key]) => key === name).length, `${path} ${name}`).toBeLessThanOrEqual(1)
    expect(header(answer, 'x-cache')).toBeDefined()
  }
})

test.each(['site.test', 'believes.test'])('no address that a visitor of %s claims reaches the origin', async (host) => {
  const headers = Object.fromEntries(claimed.map((name) => [name, '203.0.113.9']))
  const claims = new Set(claimed.map((name) => name.toLowerCase()))
  for (const version of versions)
    for (const method of ['GET', 'GET', 'HEAD', 'POST']) {
      const asking = { method, path: `/claims-${version}`, headers, ...(method === 'POST' && { body: 'x' }) }
      expect((await ask(box, version, host, asking)).status).toBe(200)
      const { headers: asked } = origin.asked.at(-1)!
      expect(
        Object.keys(asked).filter((name) => claims.has(name)),
        `${method} over HTTP/${version}`,
      ).toEqual([])
      expect([asked['x-forwarded-for'], asked['x-real-ip']]).toEqual(['127.0.0.1', '127.0.0.1'])
      expect(JSON.stringify(asked)).not.toContain('203.0.113.9')
    }
})

test('the edge’s address headers contain the real address, whatever a visitor sends in them', async () => {
  const headers = Object.fromEntries(
    ['X-Forwarded-For', 'X-Real-IP', 'X-Forwarded-Proto', 'X-Forwarded-Host', 'x_forwarded_for'].map((name) => [
      name,
      '203.0.113.9',
    ]),
  )
  for (const version of versions)
    for (const method of ['GET', 'HEAD', 'POST']) {
      const asking = { method, path: `/own-${version}`, headers, ...(method === 'POST' && { body: 'x' }) }
      expect((await ask(box, version, 'site.test', asking)).status).toBe(200)
      const { headers: asked } = origin.asked.at(-1)!
      expect([asked['x-forwarded-for'], asked['x-real-ip']]).toEqual(['127.0.0.1', '127.0.0.1'])
      expect(asked['x-forwarded-proto']).toBe(version === '2' ? 'https' : 'http')
      expect(JSON.stringify(asked)).not.toContain('203.0.113.9')
    }
})

test('a header on several lines stays on several lines', async () => {
  for (const method of ['GET', 'GET', 'POST']) {
    const answer = await ask(box, '1.1', 'site.test', {
      method,
      path: '/lines',
      ...(method === 'POST' && { body: 'x' }),
    })
    const linesOf = (name: string) => answer.lines.filter(([key]) => key === name).map(([, value]) => value)
    expect(linesOf('set-cookie')).toEqual(['a=1', 'b=2; Expires=Wed, 01 Jan 2031 00:00:00 GMT'])
    expect(linesOf('link')).toEqual(['</a>; rel=preload', '</b>; rel=preload'])
  }
})
