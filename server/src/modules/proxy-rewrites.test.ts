/**
 * Proxy rewrites through the calls of a module family: rejected if they give no valid origin request, limited,
 * published, restored.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { openShops, type Shop, type Shops } from './testing/shops.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
})
afterAll(() => server.stop())

const makeModule = async ({ of }: Shop) =>
  (await shops.must('POST', `${of}/module/proxyRewrites`, { modules: [{ name: 'assets' }] })).ids[0] as number
const bind = ({ of, domain }: Shop, moduleID: number) =>
  shops.must('PUT', `${of}/domains/module/proxyRewrite`, { domainIDs: [domain], moduleID })

test('rules are published in order of priority, and a restore binds the domain again', async () => {
  const shop = await shops.make('rewrites')
  const module = await makeModule(shop)
  await bind(shop, module)
  const rules = `${shop.of}/module/proxyRewrite/${module}/rules`
  const { ids } = await shops.must('POST', rules, {
    items: [
      { urlRegex: '^/b/(.*)', target: '/y/$1?z=1', priority: 20 },
      { urlRegex: '^/a', target: '/x', priority: 10 },
      { urlRegex: '^/off', target: '/x', enabled: false },
    ],
  })
  const { requires, part } = await shops.published(shop.site, 'proxyRewrites')
  expect(requires).toEqual(['proxyRewrites'])
  expect(part.rules).toEqual([
    { id: ids[1], urlRegex: '^/a', target: '/x' },
    { id: ids[0], urlRegex: '^/b/(.*)', target: '/y/$1?z=1' },
  ])
  await shops.must('PUT', `${shop.of}/module/proxyRewrite/${module}/rule`, {
    ...{ id: ids[1], urlRegex: '^/a', target: '/w', priority: 10 },
  })
  expect((await shops.published(shop.site, 'proxyRewrites')).part.rules[0].target).toBe('/w')
  const { revision } = await shops.must('GET', shop.of)
  await bind(shop, 0)
  expect((await shops.published(shop.site, 'proxyRewrites')).part).toBeUndefined()
  await shops.must('POST', `${shop.of}/history/restore`, { revision })
  expect((await shops.published(shop.site, 'proxyRewrites')).part.rules).toHaveLength(2)
})

test('an invalid path, an unknown group reference, and one rule too many are rejected', async () => {
  const shop = await shops.make('rewriteswrong')
  const module = await makeModule(shop)
  const add = async (...items: object[]) => {
    const { status, body } = await shops.call('POST', `${shop.of}/module/proxyRewrite/${module}/rules`, { items })
    return [status, body.extra?.[0]?.reason ?? body.code]
  }
  for (const target of ['b', '//b', 'https://other.example/', '/a b', '/a#b', '/$x', '/a\r\nb'])
    expect([target, ...(await add({ urlRegex: '^/a', target }))]).toEqual([target, 400, 'wrongFormat'])
  expect(await add({ urlRegex: '^/a', target: '/$1' })).toEqual([400, 'unknownGroup'])
  expect(await add({ urlRegex: '(a+)+', target: '/b' })).toEqual([400, 'regexTooComplex'])
  const some = (count: number) => Array.from({ length: count }, (_, n) => ({ urlRegex: `^/${n}`, target: '/b' }))
  for (let n = 0; n < 4; n++) expect((await add(...some(50)))[0]).toBe(200)
  expect(await add(...some(1))).toEqual([400, 101029])
})
