/**
 * The Lua ACL through the API: how a condition tree is rendered for nodes, toggling a rule, and trees that are
 * rejected.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { openShops, type Shop, type Shops } from './testing/shops.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
let shop: Shop
let module: number
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
  shop = await shops.make('ruled')
  module = (await shops.must('POST', `${shop.of}/module/luaAcls`, { modules: [{ name: 'office' }] })).ids[0]
  await shops.must('PUT', `${shop.of}/domains/module/luaAcl`, { domainIDs: [shop.domain], moduleID: module })
})
afterAll(() => server.stop())

const place = () => `${shop.of}/module/luaAcl/${module}`
const admin = { field: 'path', operator: 'startsWith', values: ['/admin'] }
const abroad = { field: 'country', operator: 'ne', values: ['TW'] }
const keyed = { field: 'header', name: 'X-Key', operator: 'exists' }
const rule = (name: string, more: object = {}) => ({ name, conditions: admin, action: 'block', ...more })
const published = async () => (await shops.published(shop.site, 'luaAcls')).part?.rules

test('nodes get each rule as a program, in order of priority, and not while it is disabled', async () => {
  const later = await shops.must(
    'POST',
    `${place()}/rule`,
    rule('later', { priority: 200, expiresAt: '2040-01-01T00:00:00Z' }),
  )
  const conditions = { all: [admin, { any: [abroad, { not: keyed }] }] }
  const first = await shops.must('POST', `${place()}/rule`, {
    ...rule('abroad', { conditions, action: 'challenge', blockType: 5, mode: 'observe' }),
  })
  const { requires, part } = await shops.published(shop.site, 'luaAcls')
  expect(requires).toEqual(['luaAcls'])
  expect(part).toEqual({
    ...{ kind: 'luaAcls', module },
    rules: [
      {
        ...{ id: first.id, mode: 'observe', action: 'challenge', blockType: 5 },
        tests: [
          { field: 'header', name: 'x-key', operator: 'exists', values: [], onTrue: 0, onFalse: -1 },
          { field: 'country', name: '', operator: 'eq', values: ['TW'], onTrue: 1, onFalse: -1 },
          { ...admin, name: '', onTrue: 2, onFalse: 0 },
        ],
      },
      {
        ...{ id: later.id, mode: 'enforce', action: 'block', blockType: 0, expiresAt: 2_208_988_800 },
        tests: [{ ...admin, name: '', onTrue: -1, onFalse: 0 }],
      },
    ],
  })
  const [shown] = await shops.must('GET', `${place()}/rules?page=1`)
  expect(shown).toMatchObject({ id: first.id, name: 'abroad', action: 'challenge', enabled: true, priority: 100 })
  expect(shown.conditions.all[1].any[1]).toEqual({ not: { ...keyed, values: [] } })

  await shops.must('PUT', `${place()}/rule/enable`, { id: first.id, enabled: false })
  expect((await published()).map(({ id }: { id: number }) => id)).toEqual([later.id])
  await shops.must('PUT', `${place()}/rule/enable`, { id: first.id, enabled: true })
  await shops.must('PUT', `${place()}/rule`, { id: later.id, ...rule('later', { action: 'allow' }) })
  expect((await published()).map(({ action }: { action: string }) => action)).toEqual(['allow', 'challenge'])
  const limit = { rate: 10, burst: 0 }
  await shops.must('PUT', `${place()}/rule`, {
    id: later.id,
    ...rule('later', { action: 'limit', limit: { rate: 10 } }),
  })
  const { requires: more, part: limited } = await shops.published(shop.site, 'luaAcls')
  expect([more, limited.rules[0].limit, limited.rules[0].skip]).toEqual([['aclActions', 'luaAcls'], limit, undefined])
  const sets = (header: object) =>
    shops.must('PUT', `${place()}/rule`, { id: later.id, ...rule('later', { action: 'header', header }) })
  const bot = { key: 'X-Bot', value: 'likely' }
  await sets(bot)
  const { requires: answers, part: answered } = await shops.published(shop.site, 'luaAcls')
  expect([answers, answered.rules[0].header]).toEqual([['aclActions', 'luaAcls'], bot])
  await sets({ ...bot, type: 'request' })
  const { requires: asks, part: asked } = await shops.published(shop.site, 'luaAcls')
  expect([asks, asked.rules[0].header]).toEqual([
    ['aclActions', 'aclRequestHeaders', 'luaAcls'],
    { ...bot, of: 'request' },
  ])
  const [{ header: kept }] = await shops.must('GET', `${place()}/rules?page=1`)
  expect(kept).toEqual({ ...bot, type: 'request' })
  const ofBots = { conditions: { field: 'bot', operator: 'exists' } }
  await shops.must('PUT', `${place()}/rule`, { id: later.id, ...rule('later', ofBots) })
  expect((await shops.published(shop.site, 'luaAcls')).requires).toEqual(['aclBots', 'luaAcls'])
  await shops.must('DELETE', `${place()}/rules`, { ids: [first.id, later.id] })
  expect(await published()).toEqual([])
})

test('an invalid tree is rejected, and nothing of it is saved', async () => {
  const refused = async (more: object) => {
    const { status, body } = await shops.call('POST', `${place()}/rule`, rule('wrong', more))
    return [status, body.code, body.extra?.[0]?.field, body.extra?.[0]?.reason]
  }
  let deep: object = admin
  for (let n = 0; n < 8; n++) deep = { all: [deep] }
  expect(await refused({ conditions: deep })).toEqual([400, 101029, 'conditions', 'itemsExceedLimit'])
  expect((await refused({ conditions: { any: Array(65).fill(admin) } }))[0]).toBe(400)
  expect(await refused({ conditions: { ...admin, operator: 'lt' } })).toEqual([
    ...[400, 101003, 'conditions.operator', 'wrongFormat'],
  ])
  expect(await refused({ conditions: { field: 'path', operator: 'matches', values: ['(a+)+'] } })).toEqual([
    ...[400, 101003, 'conditions.values', 'regexTooComplex'],
  ])
  expect(await refused({ conditions: { all: [], any: [] } })).toMatchObject({ 0: 400, 1: 101003 })
  expect(await refused({ conditions: 'path = "/a"' })).toMatchObject({ 0: 400, 1: 101003 })
  expect(await refused({ action: 'challenge' })).toEqual([400, 101003, 'blockType', 'required'])
  expect(await refused({ action: 'redirect' })).toEqual([400, 101003, 'redirect', 'required'])
  expect(await refused({ action: 'limit', limit: { rate: 0 } })).toEqual([400, 101003, 'limit.rate', 'number'])
  expect(await refused({ action: 'skip', skip: ['waf', 'waf'] })).toEqual([409, 101025, 'skip', 'duplicatedData'])
  const reserved = ['Host', 'Connection', 'TE', 'X-BW-Relay', 'Content-Length', 'Transfer-Encoding', 'X-Forwarded-For']
  const ofRequests = ['CF-Connecting-IP', 'X-Original-URL']
  for (const [type, keys] of Object.entries({ response: reserved, request: [...reserved, ...ofRequests] }))
    for (const key of keys)
      expect(await refused({ action: 'header', header: { type, key } }), key).toEqual([
        ...[400, 101003, 'header.key', 'reservedHeader'],
      ])
  expect(await refused({ action: 'header', header: { type: 'both', key: 'X-A' } })).toMatchObject({
    ...{ 0: 400, 2: 'header.type' },
  })
  expect(await refused({ skip: ['waf'] })).toEqual([400, 101003, 'skip', 'wrongFormat'])
  expect(await refused({ action: 'allow', blockType: 1 })).toEqual([400, 101003, 'blockType', 'wrongFormat'])
  expect(await shops.must('GET', `${place()}/rules`)).toEqual([])
  const missing = await shops.call('PUT', `${place()}/rule/enable`, { id: 1, enabled: true })
  expect(missing.body.code).toBe(101018)
})

test('the rules of a module are limited by their total cost per request', async () => {
  const conditions = { all: Array(64).fill(keyed) }
  for (let n = 0; n < 15; n++) await shops.must('POST', `${place()}/rule`, rule(`r${n}`, { conditions }))
  const { status, body } = await shops.call('POST', `${place()}/rule`, rule('one more', { conditions }))
  expect([status, body.code]).toEqual([400, 101029])
  expect(await published()).toHaveLength(15)
})
