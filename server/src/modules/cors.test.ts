/** CORS modules through the API: rejected if they would open a site to every origin, bound, published, restored. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { openShops, type Shops } from './testing/shops.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
})
afterAll(() => server.stop())

const body = { name: 'app', origins: ['https://app.example.com', 'https://*.example.org'] }

test('a module is created, bound, published with every change, and cannot be deleted while it is bound', async () => {
  const { must, call, published } = shops
  const [one, two] = [await shops.make('cors1'), await shops.make('cors2')]
  const { ids } = await must('POST', `${one.of}/module/cors`, { modules: [body] })
  for (const shop of [one, two]) {
    const reply = await call('PUT', `${shop.of}/domains/module/cors`, { domainIDs: [shop.domain], corsID: ids[0] })
    expect(reply.status).toBe(200)
    const { requires, domain, part } = await published(shop.site, 'cors')
    expect([requires, domain.cors === undefined]).toEqual([['cors'], false])
    expect(part).toMatchObject({ kind: 'cors', origins: body.origins, methods: ['GET', 'HEAD', 'POST'], maxAge: 600 })
  }
  const [seen] = await must('GET', `${one.of}/module/cors`)
  const { id: _id, domainCount: _count, ...basedOn } = seen
  await must('PUT', `${one.of}/module/cors`, { id: ids[0], ...body, credentials: true, maxAge: 5, basedOn })
  const late = await call('PUT', `${one.of}/module/cors`, { id: ids[0], ...body, maxAge: 9, basedOn })
  expect([late.status, late.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
  expect((await published(two.site, 'cors')).part).toMatchObject({ credentials: true, maxAge: 5 })
  const [row] = await must('GET', `${one.of}/module/cors`)
  expect(row).toMatchObject({ id: ids[0], ...body, credentials: true, domainCount: 2 })
  const settings = await must('GET', `${one.of}/domain/settings?domainName=cors1.example.com`)
  expect(settings.modules.cors).toBe(ids[0])
  expect((await call('DELETE', `${one.of}/module/cors`, { ids })).body.extra).toBe('module in use')

  await call('PUT', `${one.of}/domains/module/cors`, { domainIDs: [one.domain], corsID: 0 })
  expect((await published(one.site, 'cors')).part).toBeUndefined()
  const { revision } = await must('GET', one.of)
  await must('POST', `${one.of}/history/restore`, { revision: revision - 1 })
  expect((await published(one.site, 'cors')).part).toMatchObject({ credentials: true })
})

test('credentials for every origin, and invalid origins, are rejected at their field', async () => {
  const shop = await shops.make('cors3')
  const add = async (more: object) => {
    const reply = await shops.call('POST', `${shop.of}/module/cors`, { modules: [{ ...body, ...more }] })
    return [reply.status, reply.body.extra?.[0]]
  }
  const at = (field: string, reason: string) => [400, { field: `modules.0.${field}`, reason }]
  expect(await add({ origins: ['*'], credentials: true })).toEqual(at('credentials', 'corsEveryOrigin'))
  for (const origin of ['null', 'example.com', 'https://a.example.com/', 'https://a.*.com', 'https://a b', 'ftp://a.b'])
    expect([origin, ...(await add({ origins: [origin] }))]).toEqual([origin, ...at('origins.0', 'wrongFormat')])
  const many = Array.from({ length: 101 }, (_, n) => `https://a${n}.example.com`)
  expect(await add({ origins: many })).toEqual(at('origins', 'itemsExceedLimit'))
  expect((await add({ origins: many.slice(1) }))[0]).toBe(200)
  expect(await add({ methods: ['GE T'] })).toEqual(at('methods.0', 'wrongFormat'))
  expect(await add({ headers: ['a\r\nb'] })).toEqual(at('headers.0', 'wrongFormat'))
  expect((await add({ origins: [] }))[1]).toEqual({ field: 'modules.0.origins', reason: 'required' })
})
