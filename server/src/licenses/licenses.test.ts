import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { installationId } from './installation.ts'
import { openIssuer } from './signing.ts'
import { updateLicenseUsage } from './update-usage.ts'

let vendor: TestServer
let server: TestServer
let admin: TokenSet
let operator: TokenSet
let customer: TokenSet
let operatorId: number
let userID: number

// Two installations: the vendor's, and one that trusts it and may query it.
beforeAll(async () => {
  vendor = await makeTestServer()
  await vendor.app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = vendor.app.server.address() as { port: number }
  server = await makeTestServer({
    adminConsoleEnabled: false,
    licenseKeys: openIssuer(vendor.services.env.dataFolder).publicKey.toString('base64'),
    licenseServer: `http://127.0.0.1:${port}`,
  })
  admin = await vendor.signIn('admin', 'vendor')
  operator = await server.signIn('client', 'operator')
  customer = await server.signIn('user', 'customer')
  const find = (one: TestServer) =>
    withSystem(one.services.database.db, (db) =>
      db.selectFrom('accounts').select(['id', 'tenantId']).where('account', '=', 'operator').executeTakeFirstOrThrow(),
    )
  userID = (await find(vendor)).id
  operatorId = (await find(server)).tenantId
})
afterAll(() => Promise.all([vendor.stop(), server.stop()]))
afterEach(async () => {
  await withSystem(server.services.database.db, (db) => db.deleteFrom('installedLicenses').execute())
})

const day = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const ask = (method: string, path: string, body?: unknown) => vendor.call(method, path, { as: admin, body })
const asOperator = (method: string, path: string, body?: unknown) => server.call(method, path, { as: operator, body })
const fields = (more: object = {}) => ({ userID, name: 'Harbour 2027', expiredAt: inDays(300), ...more })

async function online(more: object = {}): Promise<{ id: number; key: string }> {
  const { id } = (await ask('POST', '/admin/license', fields(more))).body.data
  return { id, key: (await ask('POST', '/admin/license/issuing', { userID, id })).body.data.key }
}
const install = (key: string) => asOperator('PUT', '/offline/license', { key })
/** Sets the row's `seenAt`, as if that time had come. */
const seen = (at: Date) =>
  withSystem(server.services.database.db, (db) => db.updateTable('installedLicenses').set({ seenAt: at }).execute())

test('a licence is drafted, issued, listed with its status, changed, revoked and removed', async () => {
  const { id } = (await ask('POST', '/admin/license', fields({ nodeCount: 3, limits: { sites: 10 } }))).body.data
  const row = async () =>
    (await ask('GET', '/admin/license?pageSize=100')).body.data.find((one: { id: number }) => one.id === id)
  expect(await row()).toMatchObject({
    userID,
    status: 'draft',
    key: null,
    nodeCount: 3,
    limits: { sites: 10, zones: null },
  })
  expect((await ask('POST', '/admin/license/issuing', { userID, id })).status).toBe(200)
  expect(await row()).toMatchObject({ status: 'issued', key: expect.stringMatching(/^bwl1\./) })
  expect((await ask('DELETE', '/admin/license', { ids: [id] })).body.code).toBe(101003)
  const { userID: _, ...changed } = fields({ id, name: 'renamed' })
  expect((await ask('PUT', '/admin/license', changed)).status).toBe(200)
  expect((await ask('GET', '/admin/license?name=RENAM')).body.total).toBe(1)
  expect((await ask('POST', '/admin/license/revocation', { ids: [id] })).status).toBe(200)
  expect((await row()).status).toBe('revoked')
  expect((await ask('GET', '/admin/license?status=revoked')).body.data.map((one: { id: number }) => one.id)).toEqual([
    id,
  ])
  expect((await ask('POST', '/admin/license/issuing', { userID, id })).body.code).toBe(101022)
  expect((await ask('DELETE', '/admin/license', { ids: [id] })).status).toBe(200)
  // Removing it again succeeds.
  expect((await ask('DELETE', '/admin/license', { ids: [id] })).status).toBe(200)
  expect((await ask('GET', '/admin/license/999999/order')).body.code).toBe(101022)
})

test('reports invalid input at its field: no operator, no name, a date in the past, an invalid limit', async () => {
  const wrong = async (more: object) => (await ask('POST', '/admin/license', fields(more))).body.extra
  expect(await wrong({ userID: 999_999 })).toEqual([{ field: 'userID', reason: 'notFound' }])
  expect(await wrong({ name: ' ' })).toEqual([{ field: 'name', reason: 'required' }])
  expect(await wrong({ expiredAt: inDays(-1) })).toEqual([{ field: 'expiredAt', reason: 'inThePast' }])
  expect(await wrong({ nodeCount: -1 })).toEqual([{ field: 'nodeCount', reason: 'number' }])
})

test('a booking is applied to the next licence that is issued, once', async () => {
  const licenseSetting = { type: 'support', months: 2, limits: { nodes: 7, sites: 70 } }
  expect((await ask('PUT', `/admin/license/${userID}/order`, { licenseSetting })).status).toBe(200)
  expect((await ask('GET', `/admin/license/${userID}/order`)).body.data.licenseSetting).toMatchObject({ months: 2 })
  const { key } = await online()
  await install(key)
  const { license } = (await asOperator('GET', '/client/license')).body.data
  expect(license).toMatchObject({ type: 'support', limits: { nodes: 7, sites: 70, zones: null } })
  expect((Date.parse(license.expiredAt) - Date.now()) / day).toBeLessThan(63)
  expect((await ask('GET', `/admin/license/${userID}/order`)).body.data.licenseSetting.months).toBe(12)
})

test('without a licence there are no limits; with one its limits apply, to customers’ calls too', async () => {
  expect((await asOperator('GET', '/client/license')).body.data.license).toBeNull()
  expect((await asOperator('PUT', '/offline/license')).body.code).toBe(101022)
  const site = await server.makeSite(customer, 'before')
  const { used } = (await asOperator('GET', '/client/license')).body.data
  expect(used.sites).toBe(1)
  await install((await online({ limits: { sites: 1, domains: 1, users: used.users, zones: used.zones } })).key)
  const more = await server.call('POST', '/user/site', { as: customer, body: { siteName: 'more' } })
  expect([more.body.code, more.body.extra]).toEqual([205001, { max: 1 }])
  const domain = (name: string) => ({ name, upstreams: [{ ip: '127.0.0.1', port: 80 }] })
  const add = (...names: string[]) =>
    server.call('POST', `/user/site/${site}/domains`, { as: customer, body: { domains: names.map(domain) } })
  expect((await add('a.example.com', 'b.example.com')).body.code).toBe(401002)
  expect((await add('a.example.com')).status).toBe(200)
  const zone = await asOperator('POST', '/client/zone', { name: 'one more' })
  expect([zone.body.code, zone.body.extra]).toEqual([201003, { max: used.zones }])
  const person = { auth: 'user', name: 'New', email: 'new@example.com', account: 'new-one' }
  expect((await asOperator('POST', '/client/account', person)).body.code).toBe(101029)
  expect((await asOperator('DELETE', '/client/license')).status).toBe(200)
  expect((await asOperator('POST', '/client/account', person)).status).toBe(200)
})

test('with an expired licence the operator can change only the licence; reads and customers’ calls work', async () => {
  await install((await online()).key)
  const role = () => asOperator('POST', '/client/roles', { name: `r${Math.random()}`, permissions: [] })
  expect((await role()).status).toBe(200)
  await seen(new Date(Date.now() + 301 * day))
  expect((await role()).body.code).toBe(101019)
  expect((await asOperator('GET', '/client/roles')).status).toBe(200)
  expect((await asOperator('GET', '/client/license')).body.data.license.status).toBe('expired')
  expect((await server.call('POST', '/user/site', { as: customer, body: { siteName: 'goes on' } })).status).toBe(200)
  expect((await asOperator('PUT', '/offline/license/updateKey', { key: (await online()).key })).status).toBe(200)
})

test('setting the clock back does not extend a licence', async () => {
  await install((await online({ expiredAt: inDays(10) })).key)
  await updateLicenseUsage(server.services, Date.now() + 20 * day)
  await updateLicenseUsage(server.services, Date.now())
  expect((await asOperator('GET', '/client/license')).body.data.license.status).toBe('expired')
})

test('an online licence is renewed from the vendor, and a revoked one ends', async () => {
  const { id, key } = await online()
  await install(key)
  const { userID: _, ...longer } = fields({ id, expiredAt: inDays(500) })
  await ask('PUT', '/admin/license', longer)
  await ask('POST', '/admin/license/issuing', { userID, id })
  const renewed = await asOperator('PUT', '/offline/license')
  expect(renewed.body.data).toMatchObject({ status: 'active' })
  expect(Math.round((Date.parse(renewed.body.data.expiredAt) - Date.now()) / day)).toBe(500)
  await ask('POST', '/admin/license/revocation', { ids: [id] })
  expect((await asOperator('PUT', '/offline/license')).body.data.status).toBe('revoked')
  expect((await asOperator('POST', '/client/roles', { name: 'x', permissions: [] })).body.code).toBe(101019)
  // Neither the old text nor the one that states the revocation can be installed again.
  const { key: revoked } = (await ask('GET', '/admin/license?status=revoked')).body.data.find(
    (one: { id: number }) => one.id === id,
  )
  expect((await install(revoked)).body.code).toBe(900001)
})

test('an unreachable vendor, or one that answers with another licence, is 101024', async () => {
  const lost = await makeTestServer({ licenseServer: 'http://127.0.0.1:9' })
  try {
    const as = await lost.signIn('client', 'operator')
    const own = openIssuer(lost.services.env.dataFolder)
    const id = await installationId(lost.services.env.dataFolder)
    const key = own.write({
      serial: '6f0d2a3e-7b7c-4c58-9a7e-2f7a51c7f3a1',
      kind: 'online',
      type: 'trial',
      holder: 'x',
      limits: { nodes: null, zones: null, sites: null, domains: null, users: null, trafficBytes: null },
      issuedAt: inDays(0),
      expiresAt: inDays(1),
      installation: id,
      revokedAt: null,
    })
    expect((await lost.call('PUT', '/offline/license', { as, body: { key } })).status).toBe(200)
    expect((await lost.call('PUT', '/offline/license', { as })).body.code).toBe(101024)
  } finally {
    await lost.stop()
  }
})

test('an offline licence is bound to one installation, and makes no request', async () => {
  const installation = await installationId(server.services.env.dataFolder)
  const offline = (more: object) => ask('POST', '/admin/license/offline/issuing', fields(more))
  const foreign = (await offline({ installation: '00000000-00000000-00000000-00000000' })).body.data
  expect((await install(foreign.key)).body.code).toBe(900001)
  const { userID: _, ...rebound } = fields({ id: foreign.id, installation })
  const { key } = (await ask('PUT', '/admin/license/offline', rebound)).body.data
  expect((await server.call('PUT', `/offline/license?key=${key}`, { as: operator })).body.data).toMatchObject({
    status: 'active',
  })
  expect((await asOperator('PUT', '/offline/license')).body.data.status).toBe('active')
  const row = async () => (await ask('GET', '/admin/license/offlines')).body.data[0]
  expect(await row()).toMatchObject({ installation, registeredAt: expect.any(String), status: 'issued' })
  expect((await ask('DELETE', '/admin/license/offline/register', { id: foreign.id })).status).toBe(200)
  expect(await row()).toMatchObject({ installation: null, registeredAt: null })
  expect((await ask('DELETE', '/admin/license/offline', { ids: [foreign.id] })).status).toBe(200)
})

test('an invalid licence is reported as such, and a key appears in no log and no audit', async () => {
  const nonsense = (await install('nonsense')).body
  expect([nonsense.code, nonsense.extra]).toEqual([101003, 'invalid license key'])
  expect((await asOperator('PUT', '/offline/license/updateKey')).body.extra).toBe('invalid license key')
  const { key } = await online()
  await install(key)
  const rows = await withSystem(server.services.database.db, (db) =>
    db.selectFrom('audit').select(['action', 'detail', 'url']).where('tenantId', '=', operatorId).execute(),
  )
  expect(rows.some(({ action }) => action === 'license.offline.sync')).toBe(true)
  expect(JSON.stringify(rows)).not.toContain(key.slice(0, 40))
})

test('traffic above the licence blocks new sites and domains, and nothing else', async () => {
  await install((await online({ limits: { trafficBytes: 1000 } })).key)
  await withSystem(server.services.database.db, (db) =>
    db.updateTable('installedLicenses').set({ monthBytes: 1000 }).execute(),
  )
  const site = await server.call('POST', '/user/site', { as: customer, body: { siteName: 'too much' } })
  expect([site.body.code, site.body.extra]).toEqual([205001, 'traffic'])
  expect((await asOperator('POST', '/client/roles', { name: 'still', permissions: [] })).status).toBe(200)
})
