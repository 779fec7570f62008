/** Bandwidth limits through the calls of a rule list: published in order, removed, restored. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShops, type Shops } from '../modules/testing/shops.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
})
afterAll(() => server.stop())

test('limits are published in priority order, and a restore brings them back', async () => {
  const { must } = shops
  const shop = await shops.make('limits')
  const published = async () => {
    const { artefact } = await shops.published(shop.site, 'firewall')
    return artefact.parts.bandwidth && (await shops.object(artefact.parts.bandwidth)).limits
  }
  expect(await published()).toBeUndefined()
  const slow = await must('POST', `${shop.of}/setting/rates`, { urlRegex: '^/a', rate: 20_000, priority: 9 })
  const fast = await must('POST', `${shop.of}/setting/rates`, {
    urlRegex: '^/b',
    rate: 90_000,
    afterSize: 5,
    priority: 1,
  })
  const off = await must('POST', `${shop.of}/setting/rates`, { urlRegex: '^/c', rate: 2000, enabled: false })
  expect(await published()).toEqual([
    { id: fast.id, urlRegex: '^/b', rate: 90_000, afterSize: 5 },
    { id: slow.id, urlRegex: '^/a', rate: 20_000, afterSize: 0 },
  ])
  await must('PUT', `${shop.of}/setting/rate`, { id: fast.id, urlRegex: '^/b', rate: 80_000, priority: 1 })
  expect((await published())[0].rate).toBe(80_000)
  const { revision } = await must('GET', shop.of)
  await must('DELETE', `${shop.of}/setting/rates`, { ids: [slow.id, fast.id, off.id] })
  expect(await published()).toBeUndefined()
  await must('POST', `${shop.of}/history/restore`, { revision })
  expect(await published()).toHaveLength(2)
})

test('limits too low for any client are rejected', async () => {
  const shop = await shops.make('limitswrong')
  const add = async (body: object) => {
    const reply = await shops.call('POST', `${shop.of}/setting/rates`, { urlRegex: '^/', rate: 20_000, ...body })
    return [reply.status, reply.body.extra?.[0]?.field]
  }
  expect(await add({ rate: 10 })).toEqual([400, 'rate'])
  expect(await add({ rate: 1.5e4 + 0.5 })).toEqual([400, 'rate'])
  expect(await add({ afterSize: -1 })).toEqual([400, 'afterSize'])
  expect(await add({ urlRegex: '(' })).toEqual([400, 'urlRegex'])
})
