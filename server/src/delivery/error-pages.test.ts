/**
 * Error pages through their calls: active content removed, published with the site, the operator's pages with all of
 * its sites.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShops, type Shop, type Shops } from '../modules/testing/shops.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { cleanHtml } from './clean-html.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
let shop: Shop
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
  shop = await shops.make('pages')
})
afterAll(() => server.stop())

const place = () => `${shop.of}/setting/errorPages`
async function pagesOf(site: number) {
  const { artefact } = await shops.published(site, 'firewall')
  return Promise.all((artefact.errorPages ?? []).map(async (hash) => (await shops.object(hash)).pages))
}

test('a site’s pages are published before its operator’s, and can be reset to the default', async () => {
  await shops.must('PUT', place(), { status: 903, content: '<h1>No</h1>' })
  await shops.must('PUT', place(), { status: 502, content: '<p>{{host}}', intercept: true })
  await shops.must('PUT', place(), { status: 400, content: '<p>off', enabled: false })
  const operator = await server.signIn('client', 'operator')
  const set = await server.call('PUT', '/client/setting/errorPages', {
    ...{ as: operator, body: { status: 504, content: '<p>operator' } },
  })
  expect(set.status).toBe(200)
  expect(await pagesOf(shop.site)).toEqual([
    [
      { status: 502, content: '<!doctype html><p>{{host}}</p>', intercept: true },
      { status: 903, content: '<!doctype html><h1>No</h1>', intercept: false },
    ],
    [{ status: 504, content: '<!doctype html><p>operator</p>', intercept: false }],
  ])
  const other = await shops.make('otherpages')
  expect(await pagesOf(other.site)).toHaveLength(1)
  expect((await server.call('GET', '/client/setting/errorPages', { as: operator })).body.data).toHaveLength(1)
  expect(await shops.must('GET', place())).toMatchObject([
    { status: 400, enabled: false },
    { status: 502, intercept: true },
    { status: 903 },
  ])
  await server.call('DELETE', '/client/setting/errorPages', { as: operator, body: { status: 504 } })
  expect(await pagesOf(other.site)).toEqual([])

  const { revision } = await shops.must('GET', shop.of)
  for (const status of [400, 502, 903]) await shops.must('DELETE', place(), { status })
  expect([await shops.must('GET', place()), await pagesOf(shop.site)]).toEqual([[], []])
  await shops.must('POST', `${shop.of}/history/restore`, { revision })
  expect(await shops.must('GET', place())).toHaveLength(3)
})

test('invalid values are reported at their field', async () => {
  const set = async (body: object) => {
    const reply = await shops.call('PUT', place(), body)
    return [reply.status, reply.body.extra?.[0]?.field]
  }
  expect(await set({ status: 404, content: 'x' })).toEqual([400, 'status'])
  expect(await set({ status: 403, content: '' })).toEqual([400, 'content'])
  expect(await set({ status: 403, content: 'ü'.repeat(32_769) })).toEqual([400, 'content'])
  expect(await set({ status: 403, content: 'x', intercept: true })).toEqual([400, 'intercept'])
  expect((await set({ status: 403, content: 'ü'.repeat(32_768) }))[0]).toBe(200)
})

test.each([
  ['<script>ran()</script><p>x</p>', '<p>x</p>'],
  ['<img src=x onerror="ran()">', '<img src="x" />'],
  ['<a href="javascript:ran()">x</a>', '<a>x</a>'],
  ['<a href="jav&#x09;ascript:ran()">x</a>', '<a>x</a>'],
  ['<svg onload="ran()"><script>ran()</script></svg>', ''],
  ['<iframe srcdoc="<script>ran()</script>"></iframe>', ''],
  ['<meta http-equiv="refresh" content="0;url=javascript:ran()">', '<meta content="0;url=javascript:ran()" />'],
  ['<body onload="ran()">x</body>', '<body>x</body>'],
  ['<form action="/x"><input autofocus onfocus="ran()"></form>', ''],
  ['<object data="data:text/html,<script>ran()</script>"></object>', ''],
  ['<details open ontoggle="ran()">x</details>', '<details>x</details>'],
  ['<base href="//evil.example"><link rel="stylesheet" href="/x">', ''],
  [
    '<noscript><p title="</noscript><img src=x onerror=ran()>">',
    '<p title="&lt;/noscript&gt;&lt;img src=x onerror=ran()&gt;"></p>',
  ],
  [
    '<style>h1{color:red}</style><h1 style="color:blue">{{reference}}</h1>',
    '<style>h1{color:red}</style><h1 style="color:blue">{{reference}}</h1>',
  ],
])('%s loses active content', (given, kept) => expect(cleanHtml(given)).toBe(`<!doctype html>${kept}`))
