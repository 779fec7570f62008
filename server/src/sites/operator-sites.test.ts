import { randomBytes } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tellOfExpiry } from '../messages/tell-of-expiry.ts'
import { makePerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { limitTraffic } from './limit-traffic.ts'

let server: TestServer
let operator: TokenSet
let customer: TokenSet
let customerId: number
let product: number
let zone: number
let group: number
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.openSession('client', 'operator')
  customer = await server.openSession('user', 'customer')
  const { rows } = await server.services.database.pool.query("select id from accounts where account = 'customer'")
  customerId = rows[0].id
  const [held] = (await call('GET', '/products')).body.data
  product = held.id
  zone = held.groups[0].zoneID
  group = held.groups[0].groupID
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/client${path}`, { as: operator, body })
const make = async (siteName: string, more: object = {}): Promise<number> => {
  const { body } = await call('POST', '/site', { siteName, productID: product, userID: customerId, ...more })
  expect(body.code).toBeUndefined()
  return body.data.siteID
}
const row = async (siteID: number) => (await call('GET', `/sites?siteID=${siteID}`)).body.data[0]
const addDomain = (site: number, name: string) =>
  server.call('POST', `/user/site/${site}/domains`, {
    as: customer,
    body: { domains: [{ name, upstreams: [{ ip: '198.41.0.4', port: 80 }] }] },
  })
/** A site's settings as nodes get them. */
async function settingsTold(site: number) {
  const { rows } = await server.services.database.pool.query(
    `select convert_from(p.bytes, 'utf8') as text from feed_entries f join artefact_objects a on a.artefact = f.artefact
     join objects p on p.hash = a.object where f.site_id = $1 and position('"kind":"settings"'::bytea in p.bytes) > 0`,
    [site],
  )
  return JSON.parse(rows[0].text)
}

describe('the operator', () => {
  test('limits how many ports of its zone a site may use', async () => {
    for (const port of [8081, 8082])
      expect((await call('POST', `/zone/${zone}/setting/ports`, { port, portType: 7, tls: false })).status).toBe(200)
    const site = await make('few ports', { limitations: { domains: 0, ports: 1, trafficBytes: 0 } })
    const add = (...ports: number[]) =>
      server.call('POST', `/user/site/${site}/setting/ports`, { as: customer, body: { ports } })
    const { body } = await add(8081, 8082)
    expect([body.code, body.extra]).toEqual([401007, 1])
    expect((await add(8081)).status).toBe(200)
  })

  test('makes a site for a customer, who then has it', async () => {
    const site = await make('made for you', {
      tags: ['Gold', 'gold', 'eu'],
      limitations: { domains: 1, ports: 0, trafficBytes: 0 },
    })
    expect(await row(site)).toMatchObject({
      siteName: 'made for you',
      tags: ['Gold', 'eu'],
      limitations: { domains: 1 },
      user: { id: customerId, name: 'customer' },
      statusName: 'normal',
    })
    const own = await server.call('GET', '/user/sites?siteName=made', { as: customer })
    expect(own.body.data[0].siteID).toBe(site)
    expect((await addDomain(site, 'one.example.com')).status).toBe(200)
    expect((await addDomain(site, 'two.example.com')).body.code).toBe(401002)
    expect((await call('POST', '/site', { siteName: 'x', productID: product, userID: 999_999 })).body.extra).toEqual([
      { field: 'userID', reason: 'unknownAccount' },
    ])
    expect((await call('PATCH', '/site', { siteID: site, siteName: 'renamed' })).status).toBe(200)
    const late = await call('PATCH', '/site', { siteID: site, siteName: 'late', basedOn: { siteName: 'made for you' } })
    expect([late.status, late.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
    expect((await row(site)).siteName).toBe('renamed')
  })

  test('finds sites by status, name, tags, product, customer, expiry and backup', async () => {
    const site = await make('filtered', { tags: ['Blue'], expired: '2001-01-01T00:00:00Z' })
    const found = async (query: string) =>
      (await call('GET', `/sites?pageSize=100&${query}`)).body.data.map(({ siteID }: { siteID: number }) => siteID)
    for (const query of ['status=3', 'tags=blue', `productID=${product}`, `userID=${customerId}`, 'siteName=filt'])
      expect(await found(query), query).toContain(site)
    for (const query of ['status=1', 'status=0', 'tags=red', 'forceBackup=true', 'userID=999999'])
      expect(await found(query), query).not.toContain(site)
    expect((await row(site)).statusName).toBe('expired')
  })

  test('pauses and resumes sites; nodes get the change, and the artefact requires support for it', async () => {
    const [a, b] = [await make('a'), await make('b')]
    expect((await call('PATCH', '/site/status', { siteIDs: [a, b], status: 0 })).status).toBe(200)
    expect((await settingsTold(a)).closed).toEqual({ from: 0 })
    expect((await row(b)).statusName).toBe('pause')
    expect((await call('PATCH', '/site/status', { siteIDs: [a], status: 2 })).body.code).toBe(205002)
    expect((await call('PATCH', '/site/status', { siteIDs: [a, b], status: 1 })).status).toBe(200)
    expect((await settingsTold(a)).closed).toBeUndefined()
    const unknown = await call('PATCH', '/site/status', { siteIDs: [a, 999_999], status: 0 })
    expect([unknown.body.code, unknown.body.errors]).toEqual([
      101009,
      [{ code: 101018, message: 'Permission Denied', targets: ['999999'] }],
    ])
    expect((await row(a)).statusName).toBe('normal')
  })

  test('lets sites expire: nodes close them three days later by their own clocks', async () => {
    const site = await make('expiring')
    const expired = '2031-05-06T00:00:00.000Z'
    expect((await call('PATCH', '/site/expired', { siteIDs: [site], expired })).status).toBe(200)
    expect(await row(site)).toMatchObject({ expired, statusName: 'normal' })
    expect((await settingsTold(site)).closed).toEqual({ from: Date.parse(expired) / 1000 + 3 * 86_400 })
    await call('PATCH', '/site/expired', { siteIDs: [site], expired: '2001-01-01T00:00:00Z' })
    await call('PATCH', '/site/status', { siteIDs: [site], status: 0 })
    expect((await call('PATCH', '/site/status', { siteIDs: [site], status: 1 })).body.code).toBe(205002)
    expect((await call('PATCH', '/site/expired', { siteIDs: [site], expired: null })).status).toBe(200)
    expect((await call('PATCH', '/site/status', { siteIDs: [site], status: 1 })).status).toBe(200)
  })

  test('is warned, and so is the customer, 30, 14, 7 and 1 days before a site expires, each time once', async () => {
    const { pool } = server.services.database
    const expired = '2031-08-09T00:00:00.000Z'
    const site = await make('ends in 2031', { expired })
    const narrow = await makePerson(server, 'narrow', { console: 'user', as: customer, permissions: ['sites.read'] })
    await pool.query(
      `insert into notify_settings (account_id, tenant_id, locale, chat_id, events)
       select id, tenant_id, 'en_US', '4711', '{"siteExpiring": ["tg"]}' from accounts
       where account in ('customer', 'operator', 'narrow')`,
    )
    /** The accounts that are warned about this site, this many days before the date. */
    const toldAt = async (days: number, moment = expired) => {
      await tellOfExpiry(server.services, Date.parse(moment) - days * 86_400_000)
      const told = await pool.query(
        `delete from mail_outbox m using accounts a where a.id = m.account_id and m.template = 'siteExpiring'
           and m.values->>'list' like '%ends in 2031%' returning a.account`,
      )
      return told.rows.map(({ account }) => account).sort()
    }
    const both = ['customer', 'operator']
    expect([await toldAt(31), await toldAt(30), await toldAt(15)]).toEqual([[], both, []])
    expect(await toldAt(14)).toEqual(both)
    // People with access to only some sites are warned about those.
    await server.call('PATCH', '/user/site/users', { as: customer, body: { siteIDs: [site], userIDs: [narrow] } })
    expect(await toldAt(7)).toEqual(['customer', 'narrow', 'operator'])
    await server.call('DELETE', '/user/site/users', { as: customer, body: { siteIDs: [site], userIDs: [narrow] } })
    expect([await toldAt(1), await toldAt(0)]).toEqual([both, []])
    // Another date starts the warnings again.
    const later = '2031-10-09T00:00:00.000Z'
    await call('PATCH', '/site/expired', { siteIDs: [site], expired: later })
    expect([await toldAt(20, later), await toldAt(19, later)]).toEqual([both, []])
  })

  test('sees on the overview what expires within 30 days, and what has expired', async () => {
    const site = await make('seen')
    const waits = async (days: number) => {
      const expired = new Date(Date.now() + days * 86_400_000).toISOString()
      await call('PATCH', '/site/expired', { siteIDs: [site], expired })
      const all = (await call('GET', '/dashboard/attention')).body.data as { kind: string; siteID: number }[]
      return all.filter(({ siteID, kind }) => siteID === site && kind.startsWith('siteExpir')).map(({ kind }) => kind)
    }
    expect([await waits(31), await waits(3), await waits(-3)]).toEqual([[], ['siteExpiring'], ['siteExpired']])
  })

  test('limits traffic: a site above the limit is limited until the limit is lifted', async () => {
    const site = await make('heavy')
    const limit = (trafficBytes: number) =>
      call('PATCH', '/site/limitations', { siteIDs: [site], limitations: { domains: 5, ports: 0, trafficBytes } })
    await limit(1000)
    const minute = new Date(Date.now() - 60_000).toISOString().slice(0, 16).replace('T', ' ')
    await server.services.events.command({
      query: `insert into counters_per_minute_v1 (minute, site, bytesSent) values ('${minute}:00', ${site}, 5000)`,
    })
    expect(await limitTraffic(server.services)).toBe(1)
    expect((await row(site)).statusName).toBe('limit')
    expect((await settingsTold(site)).closed).toEqual({ from: 0 })
    expect((await call('PATCH', '/site/status', { siteIDs: [site], status: 1 })).body.code).toBe(205006)
    await limit(10_000)
    expect((await row(site)).statusName).toBe('normal')
    expect((await settingsTold(site)).closed).toBeUndefined()
  })

  test('moves sites to another product, copies its limits to them, and not across port types', async () => {
    const id = (await call('POST', `/zone/${zone}/group`, { name: randomBytes(4).toString('hex') })).body.data.id
    const target = await call('POST', '/product', {
      name: 'target',
      groups: [{ zoneID: zone, groupID: id }],
      limitations: { domains: 7, ports: 1, trafficBytes: 0 },
      siteLimit: 1,
    })
    const productID = target.body.data.id
    const [a, b] = [await make('mover'), await make('too many')]
    expect((await call('PATCH', '/site/product/change', { siteIDs: [a, b], productID })).body.code).toBe(204003)
    expect((await call('PATCH', '/site/product/change', { siteIDs: [a], productID })).status).toBe(200)
    expect(await row(a)).toMatchObject({ productName: 'target', limitations: { domains: 100 } })
    const { rows } = await server.services.database.pool.query(
      'select group_id from feed_entries where site_id = $1 and artefact is not null',
      [a],
    )
    expect(rows).toEqual([{ group_id: id }])
    expect((await call('PATCH', '/site/product/refresh', { siteIDs: [a] })).status).toBe(200)
    expect((await row(a)).limitations.domains).toBe(7)
    const forward = (await call('POST', `/zone/${zone}/group`, { name: 'l4', portType: 4 })).body.data.id
    const ports = await call('POST', '/product', {
      name: 'l4',
      portType: 4,
      groups: [{ zoneID: zone, groupID: forward }],
    })
    await addDomain(b, 'moving.example.com')
    const refused = await call('PATCH', '/site/product/change', { siteIDs: [b], productID: ports.body.data.id })
    expect(refused.body.code).toBe(205005)
  })

  test('serves a site from the backup group, if its product has one', async () => {
    const site = await make('spare')
    const none = await call('PATCH', '/site/forceBackup', { siteIDs: [site], forceBackup: true })
    expect([none.body.code, none.body.extra]).toEqual([101003, 'no backup group'])
    const backup = (await call('POST', `/zone/${zone}/group`, { name: 'spare', isBackup: true })).body.data.id
    const groups = [
      { zoneID: zone, groupID: group, isBackup: false },
      { zoneID: zone, groupID: backup, isBackup: true },
    ]
    const made = await call('POST', '/product', { name: 'with spare', groups })
    await call('PATCH', '/site/product/change', { siteIDs: [site], productID: made.body.data.id })
    await server.services.database.pool.query(
      `insert into nodes (operator_id, zone_id, group_id, name, ip, seal_key, certificate_serial)
       select operator_id, id, $2, 'spare', '203.0.113.77', '\\x00', 'spare' from zones where id = $1`,
      [zone, backup],
    )
    const before = (await call('GET', `/site/${site}`)).body.data.preview
    expect((await call('PATCH', '/site/forceBackup', { siteIDs: [site], forceBackup: true })).status).toBe(200)
    const after = (await call('GET', `/site/${site}`)).body.data
    expect(after.forceBackup).toBe(true)
    expect(after.preview.addresses).toEqual(['203.0.113.77'])
    expect(after.preview.cname).toBe(before.cname)
  })

  test('clears caches of sites, and removes those without an enabled domain', async () => {
    const [a, b] = [await make('clear'), await make('gone')]
    expect((await call('DELETE', '/site/currentCache', { siteIDs: [a, b] })).status).toBe(200)
    const { rows } = await server.services.database.pool.query('select site_id from tasks where site_id = any($1)', [
      [a, b],
    ])
    expect(rows.map((task) => task.site_id).sort()).toEqual([a, b].sort())
    await addDomain(a, 'kept.example.com')
    expect((await call('DELETE', '/site', { siteIDs: [a, b] })).body.errors).toEqual([
      { code: 205003, message: 'The Site In Use', targets: ['clear'] },
    ])
    expect((await row(b)).siteName).toBe('gone')
    expect((await call('DELETE', '/site', { siteIDs: [b, 999_999] })).status).toBe(200)
    expect(await row(b)).toBeUndefined()
    const told = await server.services.database.pool.query('select artefact from feed_entries where site_id = $1', [b])
    expect(told.rows).toEqual([{ artefact: null }])
  })
})

describe('tags', () => {
  test('are set on many sites or one, and listed once regardless of letter case', async () => {
    const [a, b] = [await server.makeSite(customer, 't1'), await server.makeSite(customer, 't2')]
    const put = (path: string, body: unknown) => server.call('PUT', `/user${path}`, { as: customer, body })
    expect((await put('/site/tags', { siteIDs: [a, b], tags: ['Shop'] })).status).toBe(200)
    expect((await put(`/site/${b}/tags`, { tags: ['shop', 'asia'] })).status).toBe(200)
    const { data } = (await server.call('GET', '/user/site/tags', { as: customer })).body
    const tags = data.map(({ tag }: { tag: string }) => tag.toLowerCase())
    expect(tags.filter((tag: string) => tag === 'shop')).toHaveLength(1)
    expect(tags).toContain('asia')
    const many = Array.from({ length: 21 }, (_, i) => `t${i}`)
    expect((await put(`/site/${b}/tags`, { tags: many })).body.code).toBe(101029)
    await server.makeCustomer('tagless')
    const stranger = await server.openSession('user', 'tagless')
    expect((await server.call('GET', '/user/site/tags', { as: stranger })).body.data).toEqual([])
    expect(
      (await server.call('PUT', '/user/site/tags', { as: stranger, body: { siteIDs: [a], tags: [] } })).body.code,
    ).toBe(101018)
  })
})
