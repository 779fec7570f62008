/** Paths: the origin gets the path as sent, rules check every reading of it, and no two paths share a cache entry. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

const everyone = ['0.0.0.0/0']
const rule = { methods: [], mode: 'enforce' as const }

beforeAll(async () => {
  origin = await StubOrigin.start((_request, response, asked) => {
    const isShop = asked.url.startsWith('/shop?item=')
    response.statusCode = isShop ? 200 : 404
    response.setHeader('cache-control', 'max-age=60')
    response.end(asked.url)
  })
  const origins = [{ port: origin.port }]
  const firewall = {
    allowRules: [{ ...rule, id: 1, urlRegex: '^/open/', ips: everyone }],
    denyRules: [
      { ...rule, id: 2, urlRegex: '^/admin(/|$)', ips: everyone },
      { ...rule, id: 3, urlRegex: '^/open/', ips: everyone },
    ],
  }
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(
      disk.site({ origins, firewall }),
      disk.site({ site: 2, hosts: ['refuse.test'], origins, settings: { ambiguousPaths: 'refuse' } }),
      disk.site({ site: 3, hosts: ['pass.test'], origins, firewall, settings: { ambiguousPaths: 'pass' } }),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

test('an encoded question mark does not poison the page with that query', async () => {
  for (const path of ['/shop%3Fitem=7', '/shop%253Fitem=7', '//shop?item=7', '/./shop?item=7', '/sh%6Fp?item=7'])
    await box.request('site.test', path)
  const reply = await box.request('site.test', '/shop?item=7')
  expect([reply.status, reply.text, reply.headers['x-cache']]).toEqual([200, '/shop?item=7', 'MISS'])
})

test('a lone question mark gets a separate cache entry', async () => {
  expect((await box.request('site.test', '/alone?')).text).toBe('/alone?')
  expect((await box.request('site.test', '/alone')).text).toBe('/alone')
})

test.each([
  '/admin/x',
  '/%61dmin/x',
  '//admin/x',
  '/x/../admin/',
  '/admin/../public',
  '/admin/..%2Fpublic',
  '/x/..;/admin/y',
  '/admin;x=1',
])('a rule refuses %s, because some origins would read it as the protected path', async (path) => {
  expect((await box.request('site.test', path)).status).toBe(403)
})

test('an allow rule passes only paths that every origin reads as allowed', async () => {
  expect((await box.request('site.test', '/open/x')).status).toBe(404)
  expect((await box.request('site.test', '/x/../open/y')).status).toBe(403)
})

test('a site may refuse all ambiguous paths, or apply rules to the canonical form only', async () => {
  expect((await box.request('refuse.test', '/a//b')).status).toBe(400)
  expect((await box.request('refuse.test', '/a%20b')).status).toBe(404)
  expect((await box.request('pass.test', '/admin/../public')).text).toBe('/admin/../public')
})

test('a fragment in the target is refused', async () => {
  const socket = connect(box.settings.httpPort, '127.0.0.1')
  socket.end('GET /a#b HTTP/1.1\r\nHost: site.test\r\nConnection: close\r\n\r\n')
  let text = ''
  for await (const chunk of socket) text += chunk
  expect(text).toMatch(/^HTTP\/1.1 400 /)
})
