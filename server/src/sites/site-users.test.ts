import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let operator: TokenSet
let clerk: TokenSet
let clerkId: number
let mine: number
let other: number
let domains: Record<number, number>
/** Every permission of a sub-account except creating sites, which limited access forbids anyway. */
const keys = [
  ...['sites.read', 'sites.write', 'sites.remove', 'domains.read', 'domains.write', 'modules.read', 'modules.write'],
  ...[
    'history.read',
    'statistics.read',
    'logs.read',
    'logs.explain',
    'audit.read',
    'apiTokens.read',
    'apiTokens.write',
  ],
  ...['accounts.read', 'accounts.write', 'cache.read', 'firewall.read', 'firewall.write'],
]
const call = (as: TokenSet, method: string, path: string, body?: object) => server.call(method, path, { as, body })

beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  operator = await server.signIn('client', 'operator')
  mine = await server.makeSite(customer, 'given away')
  other = await server.makeSite(customer, 'kept back')
  domains = {}
  for (const site of [mine, other]) {
    const upstreams = [{ ip: '127.0.0.1', port: 80 }]
    const made = await call(customer, 'POST', `/user/site/${site}/domains`, {
      domains: [{ name: `s${site}.example.com`, upstreams }],
    })
    expect(made.status).toBe(200)
    domains[site] = (await call(customer, 'GET', `/user/site/${site}/domains`)).body.data[0].id
  }
  clerkId = await makePerson(server, 'clerk', { console: 'user', as: customer, permissions: keys })
  clerk = await signInPerson(server, 'user', 'clerk')
})
afterAll(() => server.stop())

const grant = (as: TokenSet, body: object, tier = 'user') => call(as, 'PATCH', `/${tier}/site/users`, body)

describe('a site granted to an account', () => {
  test('is visible, listed on both sides, audited, and can be revoked', async () => {
    expect((await call(clerk, 'GET', '/user/sites')).body.total).toBe(0)
    const reply = await grant(customer, { siteIDs: [mine], userIDs: [clerkId] })
    expect(reply.status).toBe(200)
    // Granting twice is the same as granting once.
    expect((await grant(customer, { siteIDs: [mine], userIDs: [clerkId] })).status).toBe(200)
    const sites = (await call(clerk, 'GET', '/user/sites')).body
    expect(sites.data.map(({ siteID }: { siteID: number }) => siteID)).toEqual([mine])
    const seen = (await call(customer, 'GET', `/user/site/users/${mine}`)).body
    expect(seen).toMatchObject({ total: 1, data: [{ id: clerkId, granted: true, roles: ['role of clerk'] }] })
    expect((await call(customer, 'GET', `/user/site/users/${other}`)).body.total).toBe(0)
    const given = (await call(customer, 'GET', `/user/account/${clerkId}/sites`)).body
    expect(given).toMatchObject({ total: 1, data: [{ siteID: mine, siteName: 'given away' }] })
    const reqID = reply.headers['x-request-id']
    const log = (await call(customer, 'POST', '/user/auditLogs', { reqID })).body.data
    expect(log[0]).toMatchObject({
      action: 'site.users.set',
      siteID: mine,
      detail: { accounts: [{ account: 'clerk' }] },
    })
    expect((await call(customer, 'DELETE', '/user/site/users', { siteIDs: [mine], userIDs: [clerkId] })).status).toBe(
      200,
    )
    expect((await call(clerk, 'GET', '/user/sites')).body.total).toBe(0)
  })

  test('cannot be granted to strangers, nor by others than its owner, nor partially', async () => {
    await server.makeCustomer('stranger')
    const stranger = await server.signIn('user', 'stranger')
    const theirs = await server.makeSite(stranger, 'theirs')
    const theirClerk = await makePerson(server, 'their-clerk', { console: 'user', as: stranger })
    const refused = await Promise.all([
      grant(customer, { siteIDs: [theirs], userIDs: [clerkId] }),
      grant(customer, { siteIDs: [mine, theirs], userIDs: [clerkId] }),
      grant(customer, { siteIDs: [mine], userIDs: [clerkId, theirClerk] }),
      grant(stranger, { siteIDs: [mine], userIDs: [theirClerk] }),
      grant(operator, { siteIDs: [mine], userIDs: [theirClerk] }, 'client'),
      grant(customer, { siteIDs: [999_999], userIDs: [clerkId] }),
    ])
    expect(refused.map(({ body }) => body.code)).toEqual(Array(6).fill(101018))
    expect((await call(clerk, 'GET', '/user/sites')).body.total).toBe(0)
    expect((await grant(customer, { siteIDs: [], userIDs: [clerkId] })).body.extra).toEqual([
      { field: 'siteIDs', reason: 'required' },
    ])
  })

  test('an operator grants its own people sites of its customers', async () => {
    const id = await makePerson(server, 'desk', {
      console: 'client',
      as: operator,
      permissions: ['sites.read'],
      body: { allSites: false },
    })
    const desk = await signInPerson(server, 'client', 'desk')
    expect((await call(desk, 'GET', '/client/sites')).body.total).toBe(0)
    expect((await grant(operator, { siteIDs: [mine], userIDs: [id] }, 'client')).status).toBe(200)
    const seen = (await call(desk, 'GET', '/client/sites')).body.data
    expect(seen.map(({ siteID }: { siteID: number }) => siteID)).toEqual([mine])
  })
})

describe('an account with one site', () => {
  beforeAll(async () => {
    await grant(customer, { siteIDs: [mine], userIDs: [clerkId] })
  })

  test('sees it and nothing else, wherever sites are read', async () => {
    const meta = (await call(clerk, 'GET', '/user/metaSites')).body.data
    expect(meta).toEqual([{ siteID: mine, siteName: 'given away' }])
    const info = (await call(clerk, 'GET', '/user/resourceInfo')).body.data
    expect([info.siteCount, info.domainCount]).toEqual([1, 1])
    const paths = [
      `/user/site/${other}`,
      `/user/site/${other}/domains`,
      `/user/site/${other}/domain/${domains[other]}/upstreams`,
      `/user/site/${other}/history`,
      `/user/site/users/${other}`,
      `/user/site/${other}/firewall/l7/blacklists`,
      `/user/site/${mine}/domain/${domains[other]}/upstreams`,
    ]
    for (const path of paths) expect([path, (await call(clerk, 'GET', path)).body.code]).toEqual([path, 101018])
    const time = { startTime: Date.now() / 1000 - 3600, endTime: Date.now() / 1000 }
    for (const path of ['/user/statistics/info', '/user/statistics/timeSeries', '/user/statistics/top']) {
      const body = { siteIDs: [other], type: path.endsWith('info') ? [3] : path.endsWith('top') ? 11 : 2, ...time }
      const refused = (await call(clerk, 'POST', path, body)).body
      expect([path, refused.code]).toEqual([path, 101018])
      const narrowed = await call(clerk, 'POST', path, { ...body, siteIDs: [mine] })
      expect([path, narrowed.status]).toEqual([path, 200])
    }
    const log = (await call(clerk, 'POST', '/user/auditLogs', { pageSize: 500 })).body.data
    expect(log.filter(({ siteID }: { siteID: number | null }) => siteID === other)).toEqual([])
  })

  test('cannot query the rows of other sites, including origins and rules', async () => {
    const { withCaller } = await import('../db/database.ts')
    const { rows } = await server.services.database.pool.query('select tenant_id from sites where id = $1', [mine])
    const scope = { tenantId: rows[0].tenant_id, tier: 'user', siteIds: [mine], accountId: clerkId } as const
    const seen = await withCaller(server.services.database, scope, async (db) => ({
      domains: await db.selectFrom('domains').select('id').execute(),
      upstreams: await db.selectFrom('upstreams').select('domainId').execute(),
    }))
    expect(seen).toEqual({ domains: [{ id: domains[mine] }], upstreams: [{ domainId: domains[mine] }] })
  })

  test('sees a module that affects its site, and can change it only if it affects no other', async () => {
    const modules = (site: number) => `/user/site/${site}/module/customHeaders`
    const make = async (as: TokenSet, site: number, name: string) =>
      (await call(as, 'POST', modules(site), { modules: [{ name }] })).body.data.ids[0] as number
    const [shared, foreign, own] = [
      await make(customer, mine, 'shared'),
      await make(customer, other, 'foreign'),
      await make(clerk, mine, 'own'),
    ]
    const bind = (as: TokenSet, site: number, moduleID: number) =>
      call(as, 'PUT', `/user/site/${site}/domains/module/customHeader`, { domainIDs: [domains[site]], moduleID })
    for (const site of [mine, other]) expect((await bind(customer, site, shared)).status).toBe(200)
    const seen = (await call(clerk, 'GET', modules(mine))).body
    expect(seen.data.map(({ id }: { id: number }) => id)).toEqual([shared, own])
    expect((await bind(clerk, mine, foreign)).body.code).toBe(101018)
    const header = { items: [{ type: 'response', key: 'X-A', value: 'b' }] }
    const refused = [
      await call(clerk, 'PUT', `/user/site/${mine}/module/customHeader`, { id: shared, name: 'taken over' }),
      await call(clerk, 'POST', `/user/site/${mine}/module/customHeader/${shared}/headers`, header),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual([101018, 101018])
    // A module that the clerk cannot see does not exist for it: the answer is that of a repeated removal, and nothing
    // is removed.
    const ofUnseen = await call(clerk, 'DELETE', modules(mine), { ids: [foreign] })
    expect([ofUnseen.status, ofUnseen.body]).toEqual([200, {}])
    const left = (await call(customer, 'GET', modules(other))).body
    expect(left.data.map(({ id }: { id: number }) => id)).toContain(foreign)
    expect((await bind(customer, other, 0)).status).toBe(200)
    const added = await call(clerk, 'POST', `/user/site/${mine}/module/customHeader/${shared}/headers`, header)
    expect(added.status).toBe(200)
    expect((await call(clerk, 'DELETE', modules(mine), { ids: [own] })).status).toBe(200)
  })

  test('every foreign key to modules is covered by the function module_sites', async () => {
    const { rows } = await server.services.database.pool.query(
      `select a.attname as column, pg_get_functiondef('module_sites'::regproc) as source
       from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
       where c.contype = 'f' and c.confrelid = 'modules'::regclass and c.conrelid <> 'rules'::regclass and a.attname <> 'tenant_id'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.filter(({ column, source }) => !source.includes(column)).map(({ column }) => column)).toEqual([])
  })

  test('a token of one site is as limited, for all statistics', async () => {
    const made = await call(customer, 'POST', '/apiToken', { name: 'one site', siteIDs: [mine] })
    expect(made.body).toMatchObject({ data: { name: 'one site' } })
    const as = { ...customer, accessToken: made.body.data.token }
    const time = { startTime: Date.now() / 1000 - 3600, endTime: Date.now() / 1000 }
    const ask = (siteIDs: number[]) => call(as, 'POST', '/user/statistics/info', { siteIDs, type: [3], ...time })
    expect((await ask([other])).body.code).toBe(101018)
    expect((await ask([mine])).status).toBe(200)
    expect((await call(as, 'GET', '/user/sites')).body.total).toBe(1)
    expect((await call(as, 'GET', '/user/resourceInfo')).body.data.siteCount).toBe(1)
  })
})

describe('the zones of an operator’s people', () => {
  test('limit what they see of the network, and nobody can grant more than their own', async () => {
    const network = ['zones.read', 'nodes.read', 'accounts.read', 'accounts.write']
    const id = await makePerson(server, 'north', { console: 'client', as: operator, permissions: network })
    const north = await signInPerson(server, 'client', 'north')
    const { rows } = await server.services.database.pool.query(
      `insert into zones (operator_id, name) select operator_id, 'North' from zones limit 1 returning id`,
    )
    const zone = rows[0].id
    const names = async () =>
      (await call(north, 'GET', '/client/metaZones')).body.data.map(({ name }: { name: string }) => name)
    expect((await names()).length).toBe(2)
    expect((await call(operator, 'GET', `/client/${id}/zones`)).body).toEqual({ data: [], total: 0 })
    expect((await call(operator, 'PUT', `/client/${id}/zones`, { zoneIDs: [zone] })).status).toBe(200)
    expect(await names()).toEqual(['North'])
    expect((await call(operator, 'GET', `/client/${id}/zones`)).body.data).toEqual([{ id: zone, name: 'North' }])
    const wrong = (await call(operator, 'PUT', `/client/${id}/zones`, { zoneIDs: [zone, 999_999] })).body
    expect([wrong.code, wrong.extra]).toEqual([101003, [{ field: 'zoneIDs.1', reason: 'unknownZone' }]])
    const below = await makePerson(server, 'north-clerk', { console: 'client', as: operator })
    await server.services.database.pool.query('update accounts set parent_id = $1 where id = $2', [id, below])
    const wider = (await call(north, 'PUT', `/client/${below}/zones`, { zoneIDs: [] })).body
    expect(wider.code).toBe(101018)
    const customerId = (await call(operator, 'GET', '/client/accounts?name=customer')).body.data[0].id
    expect((await call(operator, 'PUT', `/client/${customerId}/zones`, { zoneIDs: [zone] })).body.code).toBe(101018)
  })
})
