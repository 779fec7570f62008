/**
 * Token auth through the API: keys that are write-only, sealed for the nodes of bound sites, and kept across changes.
 */
import { createHash } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { readBoundSecret } from './module-secrets.ts'
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
  shop = await shops.make('signed')
  module = (await shops.must('POST', `${shop.of}/module/tokenAuths`, { modules: [{ name: 'videos' }] })).ids[0]
  await shops.must('PUT', `${shop.of}/domains/module/tokenAuth`, { domainIDs: [shop.domain], moduleID: module })
})
afterAll(() => server.stop())

const place = () => `${shop.of}/module/tokenAuth/${module}`
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
/** The secret that a node of the site's group gets for the reference in its artefact. */
async function told(site = shop.site) {
  const { artefact } = await shops.published(shop.site, 'tokenAuths')
  const [ref = ''] = artefact.secrets.tokenAuths ?? []
  const [name, version] = ref.split('@')
  const { database, vault } = server.services
  const value = await withSystem(database.db, (db) => readBoundSecret(db, vault, site, name!, Number(version)))
  return value && JSON.parse(value.toString())
}

test('keys are sealed separately, shown by their first characters, and kept by changes without keys', async () => {
  const { ids } = await shops.must('POST', `${place()}/auths`, {
    items: [
      { urlRegex: '^/video/', kind: 'A', key: 'first-secret', key2: 'second-secret', ttl: 60 },
      { urlRegex: '^/other/', key: 'third-secret' },
    ],
  })
  const { requires, part } = await shops.published(shop.site, 'tokenAuths')
  expect(requires).toEqual(['tokenAuths'])
  expect(part.rules).toEqual([
    { id: ids[0], urlRegex: '^/video/', kind: 'A', ttl: 60, parameter: 'auth_key' },
    { id: ids[1], urlRegex: '^/other/', kind: 'hmac', ttl: 1800, parameter: 'verify' },
  ])
  expect(await told()).toEqual({ [ids[0]]: ['first-secret', 'second-secret'], [ids[1]]: ['third-secret'] })
  const rows = await shops.must('GET', `${place()}/auths`)
  expect(rows.map((row: { key: string; key2: string }) => [row.key, row.key2])).toEqual([
    ['firs••••', 'seco••••'],
    ['thir••••', ''],
  ])

  await shops.must('PUT', `${place()}/auth`, { id: ids[0], urlRegex: '^/video/', kind: 'A', key2: '', ttl: 90 })
  expect((await told())[ids[0]]).toEqual(['first-secret'])
  await shops.must('PUT', `${place()}/auth`, {
    id: ids[0],
    urlRegex: '^/video/',
    kind: 'A',
    key: 'newer-secret',
    key2: 'first-secret',
  })
  expect((await told())[ids[0]]).toEqual(['newer-secret', 'first-secret'])
  await shops.must('DELETE', `${place()}/auths`, { ids: [ids[1]] })
  expect(Object.keys(await told())).toEqual([String(ids[0])])

  const { path } = await shops.must('POST', `${place()}/sign`, { id: ids[0], path: '/video/a.mp4?x=1' })
  const [, time, random, user, hash] = /^\/video\/a\.mp4\?x=1&auth_key=(\d+)-(\w+)-(0)-([0-9a-f]{32})$/.exec(path)!
  expect(hash).toBe(md5(`/video/a.mp4-${time}-${random}-${user}-newer-secret`))
})

test('no key is in documents, history or the audit log, and no other site’s node gets one', async () => {
  const { rows } = await server.services.database.pool.query(`
    select string_agg(t, ' ') as all from (
      select body::text as t from rules union all select body::text from modules union all
      select detail::text from audit union all select convert_from(bytes, 'UTF8') from objects
        where substring(bytes from 1 for 1) = '{') x`)
  expect(rows[0].all).toContain('firs••••')
  expect(rows[0].all).not.toMatch(/(first|second|third|newer)-secret/)
  const foreign = await shops.make('unsigned')
  expect(await told(foreign.site)).toBeUndefined()
  expect(await told()).toBeDefined()
})

test('an invalid key, kind or parameter is rejected at its field', async () => {
  const add = async (item: object) => {
    const reply = await shops.call('POST', `${place()}/auths`, {
      items: [{ urlRegex: '^/', key: 'long-enough', ...item }],
    })
    return [reply.status, reply.body.extra?.[0]?.field]
  }
  expect(await add({ key: 'short' })).toEqual([400, 'items.0.key'])
  expect(await add({ key: undefined })).toEqual([400, 'items.0.key'])
  expect(await add({ key2: 'with space' })).toEqual([400, 'items.0.key2'])
  expect(await add({ kind: 'E' })).toEqual([400, 'items.0.kind'])
  expect(await add({ parameter: 'a=b' })).toEqual([400, 'items.0.parameter'])
  expect(await add({ ttl: 0 })).toEqual([400, 'items.0.ttl'])
  expect((await shops.call('POST', `${place()}/sign`, { id: 999_999, path: '/a' })).body.code).toBe(101018)
})
