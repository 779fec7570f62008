import { gzipSync } from 'node:zlib'
import type { EventBatch } from '@breakwater/contract/edge/events.ts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { originStatesOf } from '../domains/origin-states.ts'
import { publishStatus } from './publish-status.ts'
import { ReportPace } from './report-pace.ts'
import { type NodeApiFixture, publish, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { reportedHealth } from './testing/reported-health.ts'
import { enrolNode, type TestNode } from './testing/test-node.ts'

let fixture: NodeApiFixture
let nodes: TestNode[]
let site: Awaited<ReturnType<typeof publish>>
const batches: { node: object; batch: EventBatch; encoding: string; bytes: Buffer }[] = []

beforeAll(async () => {
  fixture = await startNodeApiFixture(async (node, batch, encoding, body) => {
    const chunks: Buffer[] = []
    for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk)
    batches.push({ node, batch, encoding, bytes: Buffer.concat(chunks) })
    return { stored: true, duplicate: false }
  })
  nodes = []
  for (const name of ['a', 'b', 'c']) {
    const { token } = await fixture.token(fixture.east.zoneId, name)
    nodes.push(await enrolNode(fixture.server, fixture.authority.certificate, token))
  }
  site = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'shop'))
})
afterAll(() => {
  vi.restoreAllMocks()
  return fixture.close()
})

const status = () => fixture.asSystem((db) => publishStatus(db, site.siteId))
const report = (node: TestNode, watermark: number, exceptions: object[] = [], epoch = 1) =>
  node.post('/report', { epoch, watermark, exceptions })

// Each test reports several times; the rate limit has its own test.
beforeEach(() => {
  vi.spyOn(ReportPace.prototype, 'take').mockReturnValue(true)
})

test('a saved revision becomes live node by node, as the reports come in', async () => {
  expect(await status()).toMatchObject({ revision: 1, nodes: 3, live: 0 })
  await report(nodes[0]!, site.sequence)
  expect(await status()).toMatchObject({ live: 1, waiting: [{ node: 'b', lastSeen: null }, { node: 'c' }] })
  await Promise.all(nodes.map((node) => report(node, site.sequence)))
  expect(await status()).toMatchObject({ nodes: 3, live: 3, waiting: [], refused: [] })
  site = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'shop', site))
  expect(await status()).toMatchObject({ revision: 2, nodes: 3, live: 0 })
})

test('the answer to a report contains the public addresses that the operator set', async () => {
  const set = (addresses: string[]) =>
    fixture.asSystem((db) =>
      db.updateTable('nodes').set({ publicAddresses: addresses }).where('name', '=', 'a').execute(),
    )
  await set(['198.41.0.4'])
  expect((await report(nodes[0]!, site.sequence)).body).toEqual({ publicAddresses: ['198.41.0.4'] })
  await set([])
  expect((await report(nodes[0]!, site.sequence)).body).toEqual({ publicAddresses: [] })
})

test('a node that refuses the site is listed with its reason, and is not live', async () => {
  const exceptions = [{ site: site.siteId, revision: 2, reason: 'bad part' }]
  await report(nodes[0]!, site.sequence, exceptions)
  await report(nodes[1]!, site.sequence)
  expect(await status()).toMatchObject({
    live: 1,
    waiting: [{ node: 'c' }],
    refused: [{ node: 'a', revision: 2, reason: 'bad part' }],
  })
  await report(nodes[0]!, site.sequence)
  expect(await status()).toMatchObject({ live: 2, refused: [] })
})

test('a watermark of another epoch, or beyond the feed, makes nothing live', async () => {
  await report(nodes[0]!, site.sequence, [], 9)
  expect(await status()).toMatchObject({ live: 1 })
  await report(nodes[0]!, 1_000_000)
  site = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'shop', site))
  expect(await status()).toMatchObject({ live: 0 })
})

test('an exception of a site that the group does not serve is not stored', async () => {
  const other = await fixture.asSystem((db) => publish(db, fixture, fixture.west.groupId, 'west'))
  await report(nodes[0]!, 1, [{ site: other.siteId, revision: 1, reason: 'mischief' }])
  expect(await fixture.asSystem((db) => db.selectFrom('nodeExceptions').selectAll().execute())).toEqual([])
})

test('a removed node no longer counts', async () => {
  await fixture.asSystem((db) =>
    db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', nodes[2]!.reply.nodeId).execute(),
  )
  expect(await status()).toMatchObject({ nodes: 2 })
})

test('a report that changes something sends a notice, one that does not sends none', async () => {
  const client = new pg.Client({ connectionString: fixture.services.env.databaseUrl })
  await client.connect()
  const heard: string[] = []
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('listen reports')
  await report(nodes[0]!, site.sequence)
  await report(nodes[0]!, site.sequence)
  await report(nodes[1]!, site.sequence)
  await client.query('select 1')
  expect(heard).toEqual([String(fixture.east.groupId), String(fixture.east.groupId)])
  await client.end()
})

test('a few reports may follow each other, then one a second', () => {
  vi.restoreAllMocks()
  const pace = new ReportPace()
  const taken = (at: number) => pace.take(1, at)
  expect([0, 10, 20, 30, 900].map(taken)).toEqual([true, true, true, false, false])
  expect([1_100, 1_200].map(taken)).toEqual([true, false])
  expect(pace.take(2, 30)).toBe(true)
})

test('too many reports are answered with when to retry', async () => {
  vi.restoreAllMocks()
  // Concurrently: one after the other they may be slower than the limit.
  const answers = await Promise.all(Array.from({ length: 20 }, () => report(nodes[1]!, site.sequence)))
  expect(answers.map(({ status }) => status)).toContain(429)
})

const eventHeaders = {
  'x-breakwater-kind': 'requests',
  'x-breakwater-boot': '0123456789abcdef',
  'x-breakwater-sequence': '7',
  'x-breakwater-rows': '2',
}

test('a batch of events reaches the store with the identity from the certificate, bytes unchanged', async () => {
  const bytes = gzipSync('{"a":1}\n{"a":2}\n')
  const answer = await nodes[0]!.send('/events', bytes, { ...eventHeaders, 'content-encoding': 'gzip' })
  expect(answer).toMatchObject({ status: 200, body: { stored: true, duplicate: false } })
  expect(batches.at(-1)).toEqual({
    node: { nodeId: nodes[0]!.reply.nodeId, zoneId: fixture.east.zoneId, groupId: fixture.east.groupId },
    batch: { kind: 'requests', boot: '0123456789abcdef', sequence: 7, rows: 2 },
    encoding: 'gzip',
    bytes,
  })
})

test('a batch without its identity, in an unknown encoding or of endless length is rejected', async () => {
  const send = (headers: Record<string, string>, bytes = Buffer.from('x')) => nodes[0]!.send('/events', bytes, headers)
  expect((await send({ ...eventHeaders, 'x-breakwater-boot': 'x' })).body.code).toBe(101003)
  expect((await send({ 'content-type': 'application/json' })).body.code).toBe(101003)
  expect((await send({ ...eventHeaders, 'content-encoding': 'br' })).status).toBe(415)
  const stored = batches.length
  const long = { ...eventHeaders, 'transfer-encoding': 'chunked' }
  await expect(send(long, Buffer.alloc(17_000_000)).then(({ status }) => status)).resolves.toBe(413)
  expect(batches).toHaveLength(stored)
})

test('publishing has settled once all online nodes have it; offline ones are listed with when last seen', async () => {
  site = await fixture.asSystem((db) => publish(db, fixture, fixture.east.groupId, 'shop', site))
  const { pool } = fixture.services.database
  const seen = (name: string, at: string, watermark: number) =>
    pool.query('update nodes set last_seen_at = $2, watermark = $3 where name = $1', [name, at, watermark])
  await seen('a', new Date().toISOString(), site.sequence)
  await seen('b', new Date().toISOString(), 0)
  expect(await status()).toMatchObject({ live: 1, settled: false, waiting: [{ node: 'b', isAway: false }] })
  await seen('b', '2026-01-02T03:04:05.000Z', 0)
  expect(await status()).toMatchObject({
    live: 1,
    settled: true,
    waiting: [{ node: 'b', isAway: true, lastSeen: '2026-01-02T03:04:05.000Z' }],
  })
})

test('an origin that a node stops using is one event of its domain, and so is its return', async () => {
  const of = site as unknown as { siteId: number }
  const { upstream, domain } = await fixture.asSystem(async (db) => {
    const { tenantId } = await db
      .selectFrom('sites')
      .select('tenantId')
      .where('id', '=', of.siteId)
      .executeTakeFirstOrThrow()
    const made = { tenantId, siteId: of.siteId, name: 'events.test', ownership: 'proven' as const, proof: 'x' }
    const { id: domain } = await db
      .insertInto('domains')
      .values(made as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: upstream } = await db
      .insertInto('upstreams')
      .values({ tenantId, domainId: domain, ip: '192.0.2.9', port: 443, tls: true } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    return { upstream, domain }
  })
  const told = async (...origins: object[]) => {
    const { status } = await nodes[0]!.post('/report', {
      ...{ epoch: 1, watermark: site.sequence, exceptions: [], health: { ...reportedHealth, origins } },
    })
    expect(status).toBe(200)
  }
  const down = { id: upstream, state: 'down', reason: 'tls', since: 1 }
  await told()
  // An unknown origin has no effect.
  await told(down, { ...down, id: upstream + 1000 })
  await told(down)
  await told({ ...down, state: 'up', reason: '' })
  const events = await fixture.asSystem((db) =>
    db.selectFrom('originEvents').select(['domainId', 'origin', 'node', 'state', 'reason']).orderBy('id').execute(),
  )
  expect(events).toEqual([
    { domainId: domain, origin: 'https://192.0.2.9:443', node: 'a', state: 'down', reason: 'tls' },
    { domainId: domain, origin: 'https://192.0.2.9:443', node: 'a', state: 'up', reason: '' },
  ])
  const states = await fixture.asSystem((db) => originStatesOf(db, of.siteId, [upstream]))
  expect(states.get(upstream)).toMatchObject([{ node: 'a', state: 'up' }])
})

test('an attack seen by two nodes is one: begun by the first, over with the last, each notified once', async () => {
  const told = async () => {
    const rows = await fixture.asSystem((db) =>
      db.selectFrom('mailOutbox').select(['template', 'values']).orderBy('id').execute(),
    )
    return rows.map(({ template, values }) => [template, (values as { rate?: string }).rate])
  }
  await fixture.asSystem(async (db) => {
    const { id } = await db
      .insertInto('accounts')
      .values({
        tenantId: fixture.customer,
        account: 'shopkeeper',
        email: 's@shop.test',
        name: 's',
        tier: 'user',
        isRoot: true,
      } as never)
      .returning('id')
      .executeTakeFirstOrThrow()
    const events = JSON.stringify({ attackBegun: ['email'], attackOver: ['email'] })
    await db
      .insertInto('notifySettings')
      .values({ accountId: id, tenantId: fixture.customer, locale: 'en_US', events } as never)
      .execute()
  })
  const tell = (node: TestNode, sites: number[]) =>
    node.post('/tallies', {
      ...{ sites: [], keys: [] },
      attacks: sites.map((of) => ({ site: of, reason: 'requests', rate: 120, limit: 50 })),
    })
  await report(nodes[0]!, site.sequence)
  await report(nodes[1]!, site.sequence)
  for (const node of [nodes[0]!, nodes[1]!, nodes[0]!])
    expect((await tell(node, [site.siteId, 999_999])).status).toBe(200)
  expect(await told()).toEqual([['attackBegun', '120']])
  await tell(nodes[0]!, [])
  expect(await told()).toHaveLength(1)
  await tell(nodes[1]!, [])
  expect(await told()).toEqual([
    ['attackBegun', '120'],
    ['attackOver', undefined],
  ])
  const [letter] = await fixture.asSystem((db) =>
    db.selectFrom('mailOutbox').select('values').where('template', '=', 'attackOver').execute(),
  )
  const { path } = letter!.values as { path: string }
  expect(path).toMatch(/^\/user\/sitesManagement\/attacks\?attack=\d+$/)
  const open = await fixture.asSystem((db) =>
    db.selectFrom('siteAttacks').select('node').where('endedAt', 'is', null).execute(),
  )
  expect(open).toEqual([])
})

test('a node counts beside those of its zone, and those of other zones that serve the same products', async () => {
  const { token } = await fixture.token(fixture.west.zoneId, 'far')
  const far = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const nodesBeside = async (node: TestNode) =>
    (await node.post('/tallies', { sites: [], keys: [], attacks: [] })).body.nodes
  expect([await nodesBeside(nodes[0]!), await nodesBeside(far)]).toEqual([2, 1])
  const served = [fixture.east, fixture.west].map(({ groupId }) => ({ productId: fixture.product, groupId }))
  await fixture.asSystem((db) =>
    db
      .insertInto('productGroups')
      .values(served)
      .onConflict((on) => on.doNothing())
      .execute(),
  )
  expect([await nodesBeside(nodes[0]!), await nodesBeside(far)]).toEqual([3, 3])
})
