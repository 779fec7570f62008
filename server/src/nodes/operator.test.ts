import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { enrolLocal } from './enrol-local.ts'
import { type Api, callerOf, startApi } from './testing/api.ts'
import { makeZone, type NodeApiFixture, publish, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { reportedHealth as health } from './testing/reported-health.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'

let fixture: NodeApiFixture
let api: Api
let operator: ReturnType<typeof callerOf>
let stranger: ReturnType<typeof callerOf>
let foreignZone: { zoneId: number; groupId: number }

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  operator = callerOf(fixture.operator, 'client')
  const other = await fixture.asSystem(async (db) => {
    const tenant = await db
      .insertInto('tenants')
      .values({ kind: 'operator', name: 'other' })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { id: tenant.id, zone: await makeZone(db, tenant.id, 'theirs') }
  })
  stranger = callerOf(other.id, 'client')
  foreignZone = other.zone
})
afterAll(async () => {
  await api.close()
  await fixture.close()
})

const join = async (zoneId: number, name?: string): Promise<TestNode> =>
  enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId, name)).token)

test('an operator sees its own zones, counted and sorted, and nobody else’s', async () => {
  const { status, body } = await api.call(operator, 'GET', '/client/zones?sortBy=name&orderBy=asc')
  expect(status).toBe(200)
  const data = body.data as { name: string; nodeCount: number; groupCount: number }[]
  expect([data.map(({ name }) => name), body.total]).toEqual([['east', 'west'], 2])
  expect(data[0]).toMatchObject({ groupCount: 1, http2: true })
  const meta = await api.call(stranger, 'GET', '/client/metaZones')
  expect(meta.body).toEqual({ data: [{ id: foreignZone.zoneId, name: 'theirs' }], total: 1 })
  const second = await api.call(operator, 'GET', '/client/zones?sortBy=name&orderBy=asc&page=2&pageSize=1')
  expect((second.body.data as { name: string }[])[0]?.name).toBe('west')
})

test('a zone’s token is shown once, with what a machine needs, and lets one machine in', async () => {
  const { status, body } = await api.call(operator, 'POST', `/client/zone/${fixture.east.zoneId}/enrolToken`, {
    name: 'tokyo-1',
  })
  expect(status).toBe(200)
  const { token, authority, command, expiresAt, server } = body.data as Record<string, string>
  expect(authority).toBe(fixture.authority.certificate)
  expect(server).toMatch(/^https:\/\/.+:0$/)
  expect(command).toContain(token!)
  expect(Date.parse(expiresAt!)).toBeGreaterThan(Date.now() + 14 * 60_000)
  const node = await enrolNode(fixture.server, authority!, token!)
  const list = await api.call(operator, 'GET', `/client/zone/${fixture.east.zoneId}/metaNodes`)
  expect(list.body.data).toContainEqual({ id: node.reply.nodeId, name: 'tokyo-1' })
  const audited = await fixture.asSystem((db) =>
    db.selectFrom('audit').selectAll().where('action', '=', 'client.zone.enrolToken.create').execute(),
  )
  expect(audited).toHaveLength(1)
  expect(JSON.stringify(audited)).not.toContain(token)
  expect(JSON.stringify(fixture.lines)).not.toContain(token)
})

test('a node’s page shows health, watermark and the sites it refuses; silence for 15 s is offline', async () => {
  const node = await join(fixture.west.zoneId, 'osaka-1')
  const { siteId } = await fixture.asSystem((db) => publish(db, fixture, fixture.west.groupId, 'shop'))
  const row = async () => {
    const { body } = await api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/nodes`)
    return (body.data as Record<string, unknown>[])[0]
  }
  expect(await row()).toMatchObject({ name: 'osaka-1', status: 2, lastSeen: null, desired: 1, group: 'main' })
  const exceptions = [{ site: siteId, revision: 1, reason: 'does not\u001b compile' }]
  await node.post('/report', { epoch: 1, watermark: 1, exceptions, health })
  expect(await row()).toMatchObject({
    status: 1,
    watermark: 1,
    version: '0.2.0',
    health,
    exceptions: [{ site: siteId, siteName: 'shop', revision: 1, reason: 'does not compile' }],
  })
  const system = () => api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/node/${node.reply.nodeId}/system`)
  expect((await system()).body.data).toEqual({
    cpu: 0.25,
    memory: 0.25,
    disk: 0.5,
    load: 0.5,
    network: { in: 10, out: 20 },
    uptime: 77,
  })
  await fixture.asSystem((db) =>
    db
      .updateTable('nodes')
      .set({ lastSeenAt: new Date(Date.now() - 16_000) })
      .where('id', '=', node.reply.nodeId)
      .execute(),
  )
  expect(await row()).toMatchObject({ status: 2 })
  expect((await system()).body.code).toBe(202001)
})

test('renaming and removing a node is audited; a removed node is disconnected and no longer listed', async () => {
  const node = await join(fixture.east.zoneId)
  const stream = await node.stream()
  await vi.waitFor(() => expect(stream.wakes).not.toEqual([]))
  const path = `/client/zone/${fixture.east.zoneId}/node`
  const id = node.reply.nodeId
  expect((await api.call(operator, 'PATCH', path, { id, name: 'renamed', memo: 'rack 4' })).status).toBe(200)
  const late = await api.call(operator, 'PATCH', path, { id, name: 'late', basedOn: { memo: '' } })
  expect([late.status, late.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
  const meta = async () => (await api.call(operator, 'GET', `/client/zone/${fixture.east.zoneId}/metaNodes`)).body.data
  expect(await meta()).toContainEqual({ id, name: 'renamed' })
  // A node that serves a group must be disabled before it can be removed.
  expect((await api.call(operator, 'DELETE', path, { id })).body.code).toBe(202003)
  const disable = { ids: [id], status: 0 }
  expect((await api.call(operator, 'PATCH', '/client/node/status', disable)).status).toBe(200)
  const foreign = await api.call(operator, 'PATCH', '/client/node/status', { ids: [999_999], status: 0 })
  expect([foreign.status, foreign.body.code]).toEqual([403, 101018])
  expect((await api.call(operator, 'DELETE', path, { id })).status).toBe(200)
  await stream.closed
  expect((await node.get('/feed?epoch=1&after=0&schema=2')).status).toBe(401)
  expect(await meta()).not.toContainEqual({ id, name: 'renamed' })
  // One's own removed node gets another answer than one that never existed.
  for (const [method, at, body] of [
    ['DELETE', path, { id }],
    ['PATCH', path, { id, name: 'again' }],
    ['PATCH', '/client/node/status', disable],
    ['GET', `/client/node/${id}/setting/storage`, undefined],
  ] as const)
    expect((await api.call(operator, method, at, body)).status, `${method} ${at}`).toBe(404)
  expect((await api.call(operator, 'DELETE', path, { id: 999_999 })).status).toBe(403)
  const audited = await fixture.asSystem((db) =>
    db
      .selectFrom('audit')
      .select(['action', 'detail'])
      .where('action', 'like', 'client.zone.node.%')
      .orderBy('id')
      .execute(),
  )
  expect(audited).toMatchObject([
    { action: 'client.zone.node.update', detail: { id, after: { name: 'renamed', memo: 'rack 4' } } },
    { action: 'client.zone.node.remove', detail: { id, name: 'renamed' } },
  ])
})

test('another operator’s zones and nodes answer as if they did not exist, and nothing of them changes', async () => {
  const node = await join(foreignZone.zoneId)
  const id = node.reply.nodeId
  const zone = `/client/zone/${foreignZone.zoneId}`
  const answers = await Promise.all([
    api.call(operator, 'GET', `${zone}/nodes`),
    api.call(operator, 'GET', `${zone}/metaNodes`),
    api.call(operator, 'GET', `${zone}/node/${id}/system`),
    api.call(operator, 'PATCH', `${zone}/node`, { id, name: 'mine' }),
    api.call(operator, 'DELETE', `${zone}/node`, { id }),
    api.call(operator, 'DELETE', `/client/zone/${fixture.east.zoneId}/node`, { id }),
    api.call(operator, 'POST', `${zone}/enrolToken`, { name: 'mine' }),
    api.call(operator, 'POST', '/client/nodes/initialize', { ids: [id], zoneID: fixture.east.zoneId }),
    api.call(operator, 'POST', '/client/nodes/initialize', { ids: [id], zoneID: foreignZone.zoneId }),
    api.call(operator, 'GET', '/client/zone/999999/nodes'),
  ])
  for (const { status, body } of answers) expect([status, body.code]).toEqual([403, 101018])
  expect((await node.get('/tasks?after=0')).status).toBe(200)
  const seen = await api.call(operator, 'GET', '/client/nodes/initialized?pageSize=100')
  expect((seen.body.data as { id: number }[]).some((row) => row.id === id)).toBe(false)
})

test('nodes without a group are listed as waiting, and initialising puts all or none of them into use', async () => {
  const empty = await fixture.asSystem((db) =>
    db
      .insertInto('zones')
      .values({ operatorId: fixture.operator, name: 'empty' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const [first, second] = [await join(empty.id, 'a'), await join(empty.id, 'b')]
  const ids = [first.reply.nodeId, second.reply.nodeId]
  const waiting = async () =>
    ((await api.call(operator, 'GET', '/client/nodes')).body.data as { id: number }[]).map(({ id }) => id)
  expect(await waiting()).toEqual(ids)
  const initialize = (body: object) => api.call(operator, 'POST', '/client/nodes/initialize', body)
  expect((await initialize({ ids, zoneID: empty.id })).body.code).toBe(101023)
  expect((await initialize({ ids, zoneID: fixture.east.zoneId, portType: 4 })).body.code).toBe(101023)
  await fixture.asSystem((db) =>
    db
      .updateTable('nodes')
      .set({ schemas: [9] })
      .where('id', '=', ids[1]!)
      .execute(),
  )
  expect((await initialize({ ids: [ids[1]], zoneID: fixture.east.zoneId })).body.code).toBe(202008)
  expect((await initialize({ ids, zoneID: fixture.east.zoneId })).body).toMatchObject({
    code: 101009,
    errors: [{ code: 202008, targets: ['b'] }],
  })
  expect(await waiting()).toEqual(ids)
  await fixture.asSystem((db) =>
    db
      .updateTable('nodes')
      .set({ schemas: [2] })
      .where('id', '=', ids[1]!)
      .execute(),
  )
  expect((await initialize({ ids, zoneID: fixture.east.zoneId })).status).toBe(200)
  expect(await waiting()).toEqual([])
  expect((await initialize({ ids: [ids[0]], zoneID: fixture.east.zoneId })).body.code).toBe(202003)
  const secret = await first.post('/secrets', { secrets: [{ site: 0, ref: 'groupKey@1' }] })
  expect(Object.keys(secret.body.secrets as object)).toEqual(['0/groupKey@1'])
})

test('nodes in use are filtered by zone, text, version and port type', async () => {
  const list = async (query: string) => {
    const { status, body } = await api.call(operator, 'GET', `/client/nodes/initialized?pageSize=100&${query}`)
    expect(status).toBe(200)
    return (body.data as { name: string; zoneID: number }[]).map(({ name }) => name)
  }
  expect(await list('value=OSAKA')).toEqual(['osaka-1'])
  expect(await list('value=%25')).toEqual([])
  const ofZone = await api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/nodes?value=OSAKA`)
  expect((ofZone.body.data as { name: string }[]).map(({ name }) => name)).toEqual(['osaka-1'])
  expect((await api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/nodes?value=%25`)).body.total).toBe(0)
  const totalOf = async (query: string) =>
    (await api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/nodes?${query}`)).body.total
  expect(await Promise.all(['version=0.2.0&portType=7', 'version=0.9.9', 'portType=4'].map(totalOf))).toEqual([1, 0, 0])
  expect(await list(`zoneIDs=${fixture.west.zoneId}`)).toEqual(['osaka-1'])
  expect(await list('version=0.2.0')).toEqual(['osaka-1'])
  expect(await list('portType=4')).toEqual([])
  expect(await list('upgradeStatuses=2')).toEqual([])
  expect((await list('portType=7&upgradeStatuses=0,1')).length).toBeGreaterThan(2)
})

test('the node of this machine is invited to the first zone', async () => {
  const answer = await enrolLocal(fixture.services)
  expect(answer?.ca).toMatch(/authority\.pem$/)
  expect(answer?.server).toBe('https://127.0.0.1:0')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, answer!.token)
  expect(node.reply.groupId).toBe(fixture.east.groupId)
})

test('a node with an nginx older than its security fixes shows the update due, and none after it', async () => {
  const node = await join(fixture.west.zoneId, 'unpatched')
  const due = async (nginx: string) => {
    const packages = { release: 'bookworm', versions: { nginx, libssl3: '9' } }
    await node.post('/report', { epoch: 1, watermark: 0, exceptions: [], health: { ...health, packages } })
    const { body } = await api.call(operator, 'GET', `/client/zone/${fixture.west.zoneId}/nodes`)
    return (body.data as { name: string; updatesDue: object[] }[]).find(({ name }) => name === 'unpatched')?.updatesDue
  }
  expect(await due('1.22.1-9')).toMatchObject([{ package: 'nginx', installed: '1.22.1-9' }])
  await vi.waitUntil(async () => (await due('9'))?.length === 0, { interval: 1000 })
})

test('a node’s public addresses are guessed, set by its operator, and rejected if invalid', async () => {
  const path = `/client/zone/${fixture.west.zoneId}`
  const node = async () =>
    ((await api.call(operator, 'GET', `${path}/nodes`)).body.data as Record<string, unknown>[]).find(
      ({ name }) => name === 'unpatched',
    )
  const save = async (publicAddresses?: string[]) =>
    (await api.call(operator, 'PATCH', `${path}/node`, { id: (await node())?.id, name: 'unpatched', publicAddresses }))
      .status
  expect(await node()).toMatchObject({ publicAddresses: { set: [], used: ['127.0.0.1'], private: true } })
  expect(await save([' 198.41.0.4 ', '2600::7', ''])).toBe(200)
  const set = ['198.41.0.4', '2600::7']
  expect(await node()).toMatchObject({ publicAddresses: { set, used: set, private: false } })
  expect(await save()).toBe(200)
  expect(await node()).toMatchObject({ publicAddresses: { set } })
  for (const wrong of ['edge.example.com', '198.41.0.0/24', '300.1.1.1']) expect(await save([wrong])).toBe(400)
  expect(await save([])).toBe(200)
  expect(await node()).toMatchObject({ publicAddresses: { set: [] } })
})
