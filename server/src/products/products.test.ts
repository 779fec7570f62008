import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
let customer: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.openSession('client', 'operator')
  customer = await server.openSession('user', 'customer')
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, `/client${path}`, { as: operator, body })
const made = async (path: string, body: unknown): Promise<number> => {
  const reply = await call('POST', path, body)
  expect([reply.status, reply.body.code]).toEqual([200, undefined])
  return reply.body.data.id
}
const one = async (text: string, values: unknown[] = []) =>
  (await server.services.database.pool.query(text, values)).rows[0]

const changedMeanwhile = [{ field: 'basedOn', reason: 'changedMeanwhile' }]

describe('a zone', () => {
  test('is made, renamed and removed, and its name is unique', async () => {
    const id = await made('/zone', { name: 'tokyo', memo: 'by the sea' })
    expect((await call('POST', '/zone', { name: 'tokyo' })).body.code).toBe(201002)
    const other = await made('/zone', { name: 'osaka' })
    expect((await call('PUT', '/zone', { id: other, name: 'tokyo' })).body.code).toBe(201002)
    expect((await call('PUT', '/zone', { id, name: 'tokyo', memo: 'north' })).status).toBe(200)
    const late = await call('PUT', '/zone', { id, name: 'kanto', basedOn: { name: 'tokyo', memo: 'by the sea' } })
    expect([late.status, late.body.extra]).toEqual([409, changedMeanwhile])
    const now = { name: 'tokyo', memo: 'north' }
    expect((await call('PUT', '/zone', { id, ...now, basedOn: now })).status).toBe(200)
    const { data } = (await call('GET', '/zones?pageSize=100')).body
    expect(data.find((zone: { id: number }) => zone.id === id)).toMatchObject({ name: 'tokyo', memo: 'north' })
    expect((await call('DELETE', '/zone', { id: other })).status).toBe(200)
    expect((await call('DELETE', '/zone', { id: other })).body.code).toBe(101018)
  })

  test('cannot be removed while it has nodes or a group of a product', async () => {
    const zone = await made('/zone', { name: 'busy' })
    const group = await made(`/zone/${zone}/group`, { name: 'main' })
    const { operatorId } = await one('select operator_id as "operatorId" from zones where id = $1', [zone])
    await server.services.database.pool.query(
      `insert into nodes (operator_id, zone_id, name, seal_key, certificate_serial) values ($1, $2, 'n', '\\x00', 'serial')`,
      [operatorId, zone],
    )
    expect((await call('DELETE', '/zone', { id: zone })).body.code).toBe(201001)
    await server.services.database.pool.query('delete from nodes where zone_id = $1', [zone])
    const product = await made('/product', { name: 'held', groups: [{ zoneID: zone, groupID: group }] })
    expect((await call('DELETE', '/zone', { id: zone })).body.code).toBe(203001)
    expect((await call('DELETE', `/zone/${zone}/group`, { id: group })).body.code).toBe(203001)
    await call('DELETE', '/product', { id: product })
    expect((await call('DELETE', '/zone', { id: zone })).status).toBe(200)
  })

  test('of another operator is rejected as if it did not exist', async () => {
    const { id } = await one(
      `with t as (insert into tenants (kind, name) values ('operator', 'other') returning id)
       insert into zones (operator_id, name) select id, 'theirs' from t returning id`,
    )
    for (const [method, path, body] of [
      ['PUT', '/zone', { id, name: 'mine' }],
      ['DELETE', '/zone', { id }],
      ['POST', `/zone/${id}/group`, { name: 'x' }],
    ] as const)
      expect((await call(method, path, body)).body.code).toBe(101018)
    expect((await call('POST', '/zone', { name: 'theirs' })).status).toBe(200)
  })
})

describe('a group', () => {
  test('keeps its port type and label, and is listed with its nodes and products', async () => {
    const zone = await made('/zone', { name: 'grouped' })
    const id = await made(`/zone/${zone}/group`, { name: 'main' })
    expect((await call('POST', `/zone/${zone}/group`, { name: 'main' })).body.code).toBe(101025)
    expect((await call('PATCH', `/zone/${zone}/group`, { id, portType: 4 })).body.code).toBe(101023)
    expect((await call('PATCH', `/zone/${zone}/group`, { id, name: 'front' })).status).toBe(200)
    const late = { id, name: 'late', basedOn: { name: 'main', isBackup: false } }
    expect((await call('PATCH', `/zone/${zone}/group`, late)).body.extra).toEqual(changedMeanwhile)
    const seen = { name: 'front', isBackup: false }
    expect((await call('PATCH', `/zone/${zone}/group`, { id, ...seen, basedOn: seen })).status).toBe(200)
    const backup = await made(`/zone/${zone}/group`, { name: 'spare', isBackup: true })
    const { data } = (await call('GET', `/zone/${zone}/groups`)).body
    expect(data.map((group: { name: string }) => group.name)).toEqual(['front', 'spare'])
    expect(data[0]).toMatchObject({ active: false, lines: [{ name: 'default', nodes: [] }], siteCount: 0 })
    expect(data[0].label).toMatch(/^g[0-9a-f]{12}$/)
    const meta = await call('GET', `/zone/${zone}/metaGroups?isBackup=true&portType=7`)
    expect(meta.body.data).toEqual([{ id: backup, name: 'spare' }])
    expect((await call('DELETE', `/zone/${zone}/group`, { id: backup })).status).toBe(200)
  })
})

describe('a product', () => {
  let zone: number
  let main: number
  let backup: number
  beforeAll(async () => {
    zone = await made('/zone', { name: 'offer' })
    main = await made(`/zone/${zone}/group`, { name: 'main' })
    backup = await made(`/zone/${zone}/group`, { name: 'backup', isBackup: true })
  })
  const groups = () => [
    { zoneID: zone, groupID: main, isBackup: false },
    { zoneID: zone, groupID: backup, isBackup: true },
  ]

  test('has main and backup groups in the right roles, zones and port types', async () => {
    const id = await made('/product', { name: 'pro', groups: groups(), selfService: true })
    const { data } = (await call('GET', '/products?pageSize=100')).body
    expect(data.find((product: { id: number }) => product.id === id)).toMatchObject({
      name: 'pro',
      portType: 7,
      siteCount: 0,
      selfService: true,
      groups: [
        { zoneName: 'offer', groupName: 'main', isBackup: false },
        { groupName: 'backup', isBackup: true },
      ],
    })
    expect((await call('GET', `/product/${id}/groups?isBackup=true`)).body.data).toEqual([
      { id: backup, name: 'backup', portType: 7, isBackup: true, zoneID: zone },
    ])
    const refused = async (body: object) => (await call('POST', '/product', { name: 'bad', ...body })).body
    expect((await refused({ groups: [{ zoneID: zone, groupID: main, isBackup: true }] })).extra).toEqual([
      { field: 'groups.0.groupID', reason: 'notABackupGroup' },
    ])
    expect((await refused({ groups: [{ zoneID: zone, groupID: backup, isBackup: true }] })).extra).toEqual([
      { field: 'groups', reason: 'noMainGroup' },
    ])
    expect((await refused({ groups: groups(), portType: 4 })).code).toBe(101023)
    expect((await refused({ groups: [{ zoneID: zone + 1, groupID: main }] })).code).toBe(101003)
    expect((await refused({ groups: [{ zoneID: zone, groupID: 999_999 }] })).code).toBe(101018)
    expect((await refused({ name: 'pro', groups: groups() })).code).toBe(101025)
  })

  test('does not share its layer 4 groups', async () => {
    const forward = await made(`/zone/${zone}/group`, { name: 'forward', portType: 4 })
    const body = { portType: 4, groups: [{ zoneID: zone, groupID: forward }] }
    await made('/product', { ...body, name: 'ports' })
    expect((await call('POST', '/product', { ...body, name: 'ports too' })).body.code).toBe(204001)
  })

  test('is offered to customers who may have sites of it, takes none when full, and stays while in use', async () => {
    const id = await made('/product', { name: 'small', groups: groups(), siteLimit: 1 })
    const offered = async () =>
      (await server.call('GET', '/user/products?pageSize=100', { as: customer })).body.data.map(
        (product: { productName: string }) => product.productName,
      )
    expect(await offered()).not.toContain('small')
    const update = { id, name: 'small', groups: groups(), selfService: true }
    expect((await call('PUT', '/product', update)).status).toBe(200)
    expect(await offered()).toContain('small')
    // A save without changes of its own, but based on a state that somebody else has changed since.
    const { data } = (await call('GET', '/products?pageSize=100')).body
    const { siteCount: _, ...seen } = data.find((product: { id: number }) => product.id === id)
    const late = await call('PUT', '/product', { ...update, basedOn: { ...seen, selfService: false } })
    expect([late.status, late.body.extra]).toEqual([409, changedMeanwhile])
    expect((await call('PUT', '/product', { ...update, basedOn: seen })).status).toBe(200)
    const make = (siteName: string) =>
      server.call('POST', '/user/site', { as: customer, body: { siteName, productID: id } })
    expect((await make('first')).status).toBe(200)
    expect((await make('second')).body.code).toBe(204003)
    expect((await call('DELETE', '/product', { id })).body.code).toBe(204002)
    expect((await call('PUT', '/product', { ...update, portType: 4 })).body.code).toBe(101023)
  })

  test('that gets other groups takes its sites along: the new group serves them, the old one does not', async () => {
    const next = await made(`/zone/${zone}/group`, { name: 'next' })
    const id = await made('/product', { name: 'moving', groups: groups(), selfService: true })
    const site = (await server.call('POST', '/user/site', { as: customer, body: { siteName: 'mover', productID: id } }))
      .body.data.siteID
    const served = async () => {
      const { rows } = await server.services.database.pool.query(
        'select group_id from feed_entries where site_id = $1 and artefact is not null order by group_id',
        [site],
      )
      return rows.map((row) => row.group_id)
    }
    expect(await served()).toEqual([main, backup])
    const moved = { id, name: 'moving', groups: [{ zoneID: zone, groupID: next, isBackup: false }] }
    expect((await call('PUT', '/product', moved)).status).toBe(200)
    expect(await served()).toEqual([next])
    expect((await call('PATCH', `/zone/${zone}/group`, { id: next, isBackup: true })).body.code).toBe(203002)
  })
})
