import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let colleague: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  await makePerson(server, 'colleague', { console: 'user', as: customer, permissions: ['sites.read'] })
  colleague = await signInPerson(server, 'user', 'colleague')
})
afterAll(() => server.stop())

const view = { name: 'Failing', search: { f: ['status:502'], pageSize: 50 }, hidden: ['cname'], order: [] }
const read = async (as: TokenSet, list = 'logs', tier = 'user') =>
  (await server.call('GET', `/${tier}/account/views?list=${list}`, { as })).body.data
const save = (as: TokenSet, views: object[], list = 'logs', tier = 'user') =>
  server.call('PUT', `/${tier}/account/views`, { as, body: { list, views } })

test('views are kept per list for the account that saved them, not for others in its tenant', async () => {
  expect(await read(customer)).toEqual({ views: [] })
  expect((await save(customer, [view, { ...view, name: 'Slow' }])).body).toEqual({})
  expect((await save(customer, [view], 'audit')).status).toBe(200)
  expect((await save(customer, [view])).status).toBe(200)
  expect(await read(customer)).toEqual({ views: [view] })
  expect(await read(colleague)).toEqual({ views: [] })
  expect((await save(colleague, [{ ...view, name: 'Mine' }])).status).toBe(200)
  expect(await read(customer)).toEqual({ views: [view] })
  const rows = 'select count(*)::int as n from saved_views'
  expect((await server.services.database.pool.query(rows)).rows).toEqual([{ n: 3 }])
})

test('every console stores views', async () => {
  for (const [tier, account] of [
    ['client', 'operator'],
    ['admin', 'vendor'],
  ] as const) {
    const as = await server.signIn(tier, account)
    expect((await save(as, [view], 'audit', tier)).status).toBe(200)
    expect(await read(as, 'audit', tier)).toEqual({ views: [view] })
  }
})

test.each([
  ['without a name', [{ ...view, name: ' ' }], 'views.0.name'],
  ['of a name that is there', [view, view], 'views'],
  ['that holds more than an address does', [{ ...view, search: { f: [[1]] } }], 'views.0.search.f'],
  ['with a zero byte', [{ ...view, name: 'a\0b' }], 'views.0.name'],
  ['that are too many', Array.from({ length: 51 }, (_, n) => ({ ...view, name: `${n}` })), 'views'],
  [
    'that are too long',
    Array.from({ length: 20 }, (_, n) => ({ ...view, name: `${n}`, search: { q: 'x'.repeat(2000) } })),
    'views',
  ],
])('views %s are rejected at their field, and the saved ones stay', async (_name, wrong, field) => {
  const before = await read(customer)
  const { status, body } = await save(customer, wrong)
  expect([status, body.extra?.[0]?.field]).toEqual([400, field])
  expect(await read(customer)).toEqual(before)
})

test('views are refused for a list that has none', async () => {
  expect((await save(customer, [view], 'weather')).body.extra[0].field).toBe('list')
  expect((await server.call('GET', '/user/account/views?list=weather', { as: customer })).status).toBe(400)
})
