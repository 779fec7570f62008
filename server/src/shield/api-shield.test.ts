/** The API shield through the API: saved, checked, published, restored; and the draft from the log. */
import { ApiShieldPart } from '@breakwater/contract/edge/api-shield-part.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { openShops, type Shop, type Shops } from '../modules/testing/shops.ts'

let server: LogServer
let shops: Shops
let shop: Shop
let of: string
beforeAll(async () => {
  server = await startLogServer()
  shops = openShops(server, server.mine.token)
  shop = await shops.make('shield')
  of = shop.of
})
afterAll(() => server.stop())

const place = () => `${of}/firewall/setting/apiShield`
const document = 'openapi: 3.0.0\npaths:\n  /a/{id}:\n    get: { parameters: [{ name: q, in: query }] }\n'
const shield = { enable: true, mode: 'enforce', document, scope: ['/'], bodyBytes: 8192, overBudget: 'block' }
const published = async () => {
  const { artefact } = await shops.published(shop.site, 'firewall')
  const hash = artefact.parts.apiShield
  return { requires: artefact.requires, part: hash && ApiShieldPart.parse(await shops.object(hash)) }
}

test('a document is published as tables that require a node feature, and is restored with its revision', async () => {
  expect(await shops.must('GET', place())).toMatchObject({ enable: false, mode: 'observe', document: '' })
  await shops.must('PUT', place(), shield)
  const { requires, part } = await published()
  expect(requires).toContain('apiShield')
  expect(part).toMatchObject({ mode: 'enforce', operations: [{ id: 1, parameters: [{ name: 'q' }] }] })
  const { revision } = await shops.must('GET', of)
  await shops.must('DELETE', place())
  expect(await published()).toEqual({ requires: [], part: undefined })
  await shops.must('POST', `${of}/history/restore`, { revision })
  expect((await published()).part).toEqual(part)
  const { rows } = await server.services.database.pool.query(
    "select count(*)::int as n from audit where action like 'site.firewall.setting.apiShield.%'",
  )
  expect(rows).toEqual([{ n: 2 }])
})

test('an unusable document is rejected at its field and changes nothing; the check reports where', async () => {
  const { revision } = await shops.must('GET', of)
  for (const [body, field, reason] of [
    [{ document: 'a: [' }, 'document', 'openApi.syntax'],
    [{ document: document.replace('/a/', '/{/') }, 'document', 'openApi.wrongPath'],
    [{ document: '' }, 'document', 'required'],
    [{ document: `# ${'é'.repeat(140_000)}` }, 'document', 'charactersExceedLimit'],
    [{ scope: ['a'] }, 'scope.0', 'wrongFormat'],
    [{ scope: [] }, 'scope', 'required'],
    [{ scope: ['/', '/'] }, 'scope', 'duplicatedData'],
    [{ bodyBytes: 1 }, 'bodyBytes', 'number'],
  ] as const) {
    const { status, body: answer } = await shops.call('PUT', place(), { ...shield, ...body })
    expect([status, answer.extra]).toEqual([reason === 'duplicatedData' ? 409 : 400, [{ field, reason }]])
  }
  expect((await shops.must('GET', of)).revision).toBe(revision)
  const check = (text: string) => shops.must('POST', `${place()}/check`, { document: text })
  expect(await check(document)).toEqual({
    ...{ problem: null, title: '', notes: [] },
    operations: [{ id: 1, method: 'GET', path: '/a/{id}' }],
  })
  expect((await check('a: [')).problem).toEqual({ reason: 'syntax', where: '1' })
  const theirs = `/user/site/${server.theirs.site}/firewall/setting/apiShield`
  for (const [method, path] of [
    ['GET', theirs],
    ['GET', `${theirs}/draft`],
  ] as const)
    expect((await shops.call(method, path)).body.code).toBe(101018)
})

test('the draft is built from successful requests of this site only', async () => {
  expect(await shops.must('GET', `${place()}/draft`)).toEqual({ document: '', requests: 0, operations: 0 })
  const now = Date.now() / 1000 - 60
  await server.uploadEvents([
    { time: now, site: shop.site, path: '/items/1', query: 'page=1&x=2', weight: 5, status: 200 },
    { time: now, site: shop.site, path: '/items/2', method: 'POST', status: 201 },
    { time: now, site: shop.site, path: '/wp-login.php', status: 404 },
    { time: now, site: shop.site, path: '/refused', status: 403, action: 'block' },
    { time: now, path: '/theirs', status: 200, site: server.theirs.site },
  ])
  const told = await shops.must('GET', `${place()}/draft`)
  expect([told.requests, told.operations]).toEqual([6, 2])
  expect(Object.keys(JSON.parse(told.document).paths)).toEqual(['/items/{id}'])
  expect(told.document).toContain('"x"')
  await shops.must('PUT', place(), { ...shield, document: told.document })
})
