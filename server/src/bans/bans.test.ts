/**
 * Shared bans: how nodes report and fetch them, and how people list and lift them. Real node API, real calls, one
 * PostgreSQL.
 */
import { createHash, randomBytes } from 'node:crypto'
import { parseAddress } from '@breakwater/contract/addresses.ts'
import type { BlockedIp } from '@breakwater/contract/bans/block-ips.ts'
import { type BanChange, type BansReply, bansOfSiteMax } from '@breakwater/contract/edge/bans.ts'
import { decodeReputation, type ReputationReply, scoreIn } from '@breakwater/contract/edge/reputation.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type Api, callerOf, startApi } from '../nodes/testing/api.ts'
import { makeZone, type NodeApiFixture, publish, startNodeApiFixture } from '../nodes/testing/node-api-fixture.ts'
import { enrolNode, type TestNode } from '../nodes/testing/test-node.ts'
import { isSigned } from '../nodes/testing/verify.ts'

import { forgetReputation } from '../reputation/reputation.ts'
import { liftNeedlessBans } from './lift-needless.ts'

let fixture: NodeApiFixture
let api: Api
let shop: number
let strangers: number
let east: TestNode
let other: TestNode
let west: TestNode
let customer: ReturnType<typeof callerOf>
let operator: ReturnType<typeof callerOf>
let stranger: ReturnType<typeof callerOf>

beforeAll(async () => {
  fixture = await startNodeApiFixture()
  api = await startApi(fixture)
  const join = async (zoneId: number) =>
    enrolNode(fixture.server, fixture.authority.certificate, (await fixture.token(zoneId)).token)
  east = await join(fixture.east.zoneId)
  other = await join(fixture.east.zoneId)
  west = await join(fixture.west.zoneId)
  await fixture.asSystem(async (db) => {
    const tenant = await db
      .insertInto('tenants')
      .values({ kind: 'customer', name: 'stranger', operatorId: fixture.operator })
      .returning('id')
      .executeTakeFirstOrThrow()
    stranger = callerOf(tenant.id, 'user')
    shop = (await publish(db, fixture, fixture.east.groupId, 'shop')).siteId
    strangers = (await publish(db, { ...fixture, customer: tenant.id }, fixture.east.groupId, 'strangers')).siteId
  })
  customer = callerOf(fixture.customer, 'user')
  operator = callerOf(fixture.operator, 'client')
})
afterAll(async () => {
  await api?.close()
  await fixture?.close()
})
beforeEach(() => fixture.asSystem((db) => db.deleteFrom('bans').execute()))

const banOf = (address: string, more: object = {}) => ({
  ...{ site: shop, address, guard: 'denyRules', rule: 7, cause: 903, seconds: 600 },
  requestId: randomBytes(16).toString('hex'),
  reference: 'r'.repeat(55),
  ...more,
})
const tell = async (node: TestNode, ...bans: object[]) => {
  const { status, body } = await node.post('/bans', { bans })
  expect([status, body.code]).toEqual([200, undefined])
  return (body.refused as { address: string }[]).map(({ address }) => address)
}
const ask = async (node: TestNode, after = 0, sites: number[] = []) => {
  const { body } = await node.get(`/bans?after=${after}&sites=${sites.join(',')}`)
  const reply = body as never as BansReply
  const hash = createHash('sha256').update(reply.bans).digest('hex')
  const text = `bans\n${node.reply.nodeId}\n${after}\n${reply.epoch}\n${reply.after}\n${reply.more}\n${hash}`
  expect(await isSigned(node.reply.signingKeys, reply.signature, text)).toBe(true)
  return { ...reply, changes: JSON.parse(reply.bans) as BanChange[] }
}
const addressesOf = (reply: { changes: BanChange[] }) => reply.changes.map(({ address }) => address)
const list = async (as: typeof customer, query = '') => {
  const { status, body } = await api.call(as, 'GET', `/${as.tier}/blockIPs${query}`)
  expect([status, body.code]).toEqual([200, undefined])
  return body as never as { data: BlockedIp[]; total: number }
}
const ipsOf = async (as: typeof customer, query = '') => (await list(as, query)).data.map(({ ip }) => ip)
const lift = (as: typeof customer, body: object) => api.call(as, 'DELETE', `/${as.tier}/blockIPs`, body)

test('a ban wakes the other nodes of its site, reaches them at the next fetch, and ends when lifted', async () => {
  const stream = await other.stream()
  await vi.waitFor(() => expect(stream.wakes).not.toEqual([]))
  expect(await tell(east, banOf('192.0.2.1'), banOf('2001:db8:1:2::/64'))).toEqual([])
  await vi.waitFor(() => expect(stream.wakes.map(({ wake }) => wake)).toContain('bans'))
  const first = await ask(other)
  expect(addressesOf(first)).toEqual(['192.0.2.1', '2001:db8:1:2::/64'])
  for (const { site, seconds } of first.changes) expect([site, seconds > 300 && seconds <= 600]).toEqual([shop, true])
  expect(addressesOf(await ask(other, first.after))).toEqual([])
  expect(addressesOf(await ask(west))).toEqual([])
  const heard = stream.wakes.length
  expect((await lift(customer, { ips: ['192.0.2.1'] })).status).toBe(200)
  await vi.waitFor(() => expect(stream.wakes.length).toBeGreaterThan(heard))
  stream.message.destroy()
  expect((await ask(other, first.after)).changes).toEqual([{ site: shop, address: '192.0.2.1', seconds: 0 }])
  // A node that starts over gets what is banned now, and only for the sites that it names.
  expect(addressesOf(await ask(other))).toEqual(['2001:db8:1:2::/64'])
  expect(addressesOf(await ask(other, 0, [strangers]))).toEqual([])
  expect(addressesOf(await ask(other, 0, [shop]))).toEqual(['2001:db8:1:2::/64'])
})

test('reporting the same request again changes nothing; of two requests the longer ban counts', async () => {
  const ban = banOf('192.0.2.1')
  await tell(east, ban)
  const { after } = await ask(other)
  await tell(east, ban)
  expect((await ask(other, after)).changes).toEqual([])
  await lift(customer, { ips: ['192.0.2.1'] })
  await tell(east, ban)
  expect(await ipsOf(customer)).toEqual([])
  await tell(other, banOf('192.0.2.1', { seconds: 900 }))
  await tell(east, banOf('192.0.2.1', { seconds: 60 }))
  const [{ seconds }] = (await ask(other, after)).changes as [BanChange]
  expect(seconds).toBeGreaterThan(600)
})

test('no node can ban for a site it does not serve, nor ban a network or anything that is not an address', async () => {
  expect(await tell(west, banOf('192.0.2.1'))).toEqual([])
  expect(fixture.lines.some(({ security }) => security === 'foreign bans')).toBe(true)
  expect(await tell(east, banOf('192.0.2.0/24'), banOf('2001:db8::1'))).toEqual(['192.0.2.0/24', '2001:db8::1'])
  for (const none of [{}, { bans: [] }, { bans: 'all' }, { bans: {} }])
    expect([none, (await east.post('/bans', none)).status]).toEqual([none, 400])
  expect((await east.get('/bans?after=-1')).status).toBe(400)
  expect((await list(operator)).total).toBe(0)
})

test('a zone ban reaches nodes that request it, spares protected addresses, and its operator lifts it', async () => {
  const ofZone = (address: string, guard = 'invalidDomain') => banOf(address, { site: 0, guard, reference: '' })
  const path = (zoneId: number) => `/client/zone/${zoneId}/bans`
  await fixture.asSystem((db) =>
    db
      .updateTable('nodes')
      .set({ publicAddresses: ['203.0.113.200'] })
      .where('id', '=', west.reply.nodeId)
      .execute(),
  )
  const first = { ...ofZone('192.0.2.1'), asked: `GET http://nobody.test/\u0007a?${'b'.repeat(400)}` }
  expect(await tell(east, first, ofZone('2001:db8:1:2::/64', 'failedHandshakes'))).toEqual([])
  expect(await tell(west, ofZone('203.0.113.200'), ofZone('192.0.2.0/24'))).toEqual(['203.0.113.200', '192.0.2.0/24'])
  const askZone = async (node: TestNode, after = 0) => {
    const { body } = await node.get(`/bans?after=${after}&sites=&zone=1`)
    const reply = body as never as BansReply & { spared: string }
    const hashes = [reply.bans, reply.spared].map((text) => createHash('sha256').update(text).digest('hex'))
    const text = ['bans', node.reply.nodeId, after, reply.epoch, reply.after, reply.more, ...hashes].join('\n')
    expect(await isSigned(node.reply.signingKeys, reply.signature, text)).toBe(true)
    return { ...reply, changes: JSON.parse(reply.bans) as BanChange[], spared: JSON.parse(reply.spared) as string[] }
  }
  const heard = await askZone(other)
  expect(heard.changes).toMatchObject([
    { site: 0, address: '192.0.2.1' },
    { site: 0, address: '2001:db8:1:2::/64' },
  ])
  expect(addressesOf(await ask(other))).toEqual([])
  expect((await askZone(west)).changes).toEqual([])
  expect((await askZone(west)).spared).toContain('203.0.113.200')
  const { body } = await api.call(operator, 'GET', path(fixture.east.zoneId))
  expect(body).toMatchObject({
    total: 2,
    data: expect.arrayContaining([
      expect.objectContaining({ cause: 'invalidDomain', asked: `GET http://nobody.test/a?${'b'.repeat(275)}` }),
      // An older node does not report the host that was requested.
      expect.objectContaining({ cause: 'failedHandshakes', asked: '' }),
    ]),
  })
  expect((await api.call(stranger, 'GET', path(fixture.east.zoneId))).status).toBe(403)
  const remove = (ips: string[], zoneId = fixture.east.zoneId) => api.call(operator, 'DELETE', path(zoneId), { ips })
  expect((await remove(['192.0.2.1'])).status).toBe(200)
  expect((await askZone(other, heard.after)).changes).toEqual([{ site: 0, address: '192.0.2.1', seconds: 0 }])
  // Reporting the same request again does not undo the lift.
  await tell(east, first)
  expect((await askZone(other)).changes).toMatchObject([{ address: '2001:db8:1:2::/64' }])
  // Bans are lifted along with the setting that caused them; here the setting was never on.
  await liftNeedlessBans(fixture.services)
  expect((await askZone(other)).changes).toEqual([])
})

test('each report of a batch is judged separately: an invalid one is refused alone, and reported as such', async () => {
  const wrong = [{ seconds: 0 }, { seconds: 700_000 }, { guard: "'" }, { reference: 'x' }, { requestId: 'a\u0000b' }]
  const nameless = [null, 7, { bans: 1 }, banOf('all'), banOf('192.0.2.3', { site: 2 ** 40 })]
  const reports = wrong.map((one, at) => banOf(`192.0.2.${20 + at}`, one))
  const { status, body } = await east.post('/bans', {
    bans: [banOf('192.0.2.11'), ...nameless, ...reports, banOf('192.0.2.12')],
  })
  expect([status, body.refused]).toEqual([200, reports.map(({ site: of, address }) => ({ site: of, address }))])
  expect((await list(operator)).data.map(({ ip }: { ip: string }) => ip).sort()).toEqual(['192.0.2.11', '192.0.2.12'])
  expect(fixture.lines.find(({ security }) => security === 'unreadable bans')).toMatchObject({ reports: 10 })
  await fixture.asSystem((db) => db.deleteFrom('bans').execute())
})

test('never banned: nodes, trusted proxies, the operator’s networks, and addresses a site always allows', async () => {
  await fixture.asSystem(async (db) => {
    const zone = await makeZone(db, fixture.operator, 'guarded')
    await db
      .updateTable('nodes')
      .set({ publicAddresses: ['203.0.113.1'] })
      .where('id', '=', other.reply.nodeId)
      .execute()
    await db
      .insertInto('settings')
      .values(
        [fixture.east.zoneId, zone.zoneId].map((ownerId) => ({
          ...{ owner: 'zone', ownerId, name: 'trustedProxies', tenantId: fixture.operator },
          value: JSON.stringify({ networks: [ownerId === zone.zoneId ? '192.0.2.0/24' : '203.0.113.16/28'] }),
        })),
      )
      .execute()
    await db
      .insertInto('signInPolicies')
      .values({ tenantId: fixture.operator, cidrs: ['203.0.113.32/28'] })
      .execute()
    const allow = (ips: string[], more: object = {}, body: object = {}) => ({
      ...{ tenantId: fixture.customer, siteId: shop, kind: 'allowRules', bodyVersion: 1, ...more },
      body: JSON.stringify({
        ...{ ips, urlRegex: '' },
        methodValues: ['GET', 'POST', 'DELETE', 'PUT', 'HEAD', 'PATCH', 'OPTIONS'],
        ...body,
      }),
    })
    await db
      .insertInto('rules')
      .values([
        allow(['203.0.113.48-203.0.113.50', '2001:db8:5::7']),
        allow(['192.0.2.2'], { enabled: false }),
        allow(['192.0.2.3'], { mode: 'observe' }),
        allow(['192.0.2.4'], { expiresAt: new Date(0) }),
        allow(['192.0.2.5'], {}, { urlRegex: '^/health' }),
      ])
      .execute()
  })
  const never = ['203.0.113.1', '203.0.113.17', '203.0.113.33', '203.0.113.49', '2001:db8:5::/64']
  const free = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5']
  expect(await tell(east, ...[...never, ...free].map((address) => banOf(address)))).toEqual(never)
  expect((await ipsOf(customer, '?sortBy=ip&orderBy=asc')).toSorted()).toEqual(free)
})

test('a site has a maximum number of bans; beyond it they are refused, without affecting other sites', async () => {
  await fixture.asSystem((db) =>
    sql`insert into bans (site_id, address, tenant_id, until, guard, rule, cause, request_id, reference, zone_id, node)
      select ${shop}::int, '10.0.0.0'::inet + n, ${fixture.customer}::int, now() + interval '1 hour', 'antiCC', 1, 929,
        n::text, '', ${fixture.east.zoneId}::int, 'machine' from generate_series(1, ${bansOfSiteMax - 1}::int) n`.execute(
      db,
    ),
  )
  expect(await tell(east, banOf('192.0.2.1'), banOf('192.0.2.2'))).toEqual(['192.0.2.2'])
  expect(await tell(east, banOf('192.0.2.2', { site: strangers }))).toEqual([])
  // A node that starts over reads page by page.
  const seen = new Set<string>()
  let reply = await ask(other)
  for (; ; reply = await ask(other, reply.after)) {
    for (const address of addressesOf(reply)) seen.add(address)
    if (!reply.more) break
  }
  expect(seen.size).toBe(bansOfSiteMax + 1)
})

test('people see the bans of their own sites, with cause, request and end, filtered, sorted and in pages', async () => {
  const led = banOf('192.0.2.1')
  await tell(east, led, banOf('192.0.2.9', { guard: 'antiCC', rule: 3, seconds: 300 }))
  await tell(other, banOf('2001:db8::/64', { seconds: 3600 }), banOf('192.0.2.1', { site: strangers }))
  const { data, total } = await list(customer, '?ips=192.0.2.1')
  expect(total).toBe(1)
  expect((await list(customer, '?ips=')).total).toBe(3)
  expect(data[0]).toMatchObject({
    ...{ ip: '192.0.2.1', siteID: shop, siteName: 'shop', causes: ['denyRules'], zoneID: fixture.east.zoneId, rule: 7 },
    ...{ reqID: led.requestId, reference: led.reference, node: 'machine' },
  })
  expect(Date.parse(data[0]!.expired) - Date.parse(data[0]!.createdAt)).toBe(600_000)
  const all = ['192.0.2.1', '192.0.2.9', '2001:db8::/64']
  expect(await ipsOf(customer, '?sortBy=ip&orderBy=asc')).toEqual(all)
  expect(await ipsOf(customer, '?sortBy=expired&orderBy=asc')).toEqual(['192.0.2.9', '192.0.2.1', '2001:db8::/64'])
  expect(await ipsOf(customer, '?sortBy=ip&orderBy=asc&page=2&pageSize=2')).toEqual(['2001:db8::/64'])
  expect(await ipsOf(customer, '?causes=antiCC,siteMode')).toEqual(['192.0.2.9'])
  expect(await ipsOf(customer, '?ips=192.0.2.0/29,2001:db8::7')).toEqual(
    expect.arrayContaining(['192.0.2.1', '2001:db8::/64']),
  )
  expect(await ipsOf(customer, '?ips=192.0.2.2-192.0.2.20')).toEqual(['192.0.2.9'])
  expect(await ipsOf(customer, `?siteID=${strangers}`)).toEqual([])
  expect(await ipsOf(stranger)).toEqual(['192.0.2.1'])
  expect((await list(operator)).total).toBe(4)
  expect((await list(operator, `?zoneID=${fixture.west.zoneId}`)).total).toBe(0)
  expect((await list(operator, `?zoneID=${fixture.east.zoneId}&siteID=${strangers}`)).total).toBe(1)
  for (const wrong of ['?ips=all', '?causes=moon', `?zoneID=${fixture.east.zoneId}`, '?sortBy=x', '?pageSize=501'])
    expect([wrong, (await api.call(customer, 'GET', `/user/blockIPs${wrong}`)).status]).toEqual([wrong, 400])
})

test('one, several, or all bans of a filter are lifted: only of one’s own sites, never all by accident', async () => {
  const bans = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((address) => banOf(address))
  await tell(east, ...bans, banOf('192.0.2.4', { guard: 'antiCC' }), banOf('192.0.2.1', { site: strangers }))
  for (const wrong of [{}, { ips: [] }, { causes: [] }, { zoneID: fixture.east.zoneId }, { ips: ['moon'] }])
    expect([wrong, (await lift(customer, wrong)).status]).toEqual([wrong, 400])
  // Bans of other customers are as untouched as bans that do not exist.
  expect((await lift(customer, { siteID: strangers })).status).toBe(200)
  expect((await lift(customer, { ips: ['192.0.2.1', '192.0.2.77'] })).status).toBe(200)
  expect([await ipsOf(stranger), (await ipsOf(customer)).toSorted()]).toEqual([
    ['192.0.2.1'],
    ['192.0.2.2', '192.0.2.3', '192.0.2.4'],
  ])
  await lift(customer, { siteID: shop, causes: ['denyRules'] })
  expect(await ipsOf(customer)).toEqual(['192.0.2.4'])
  await lift(operator, { zoneID: fixture.east.zoneId })
  expect((await list(operator)).total).toBe(0)
})

test('bans end when their site no longer bans, and when the address is allowed', async () => {
  const set = (enable: boolean) =>
    fixture.asSystem((db) =>
      sql`update sites set settings = ${JSON.stringify({ siteMode: { enable } })}::jsonb where id = ${shop}::int`.execute(
        db,
      ),
    )
  await set(true)
  await tell(east, banOf('198.51.100.1'), banOf('198.51.100.2'), banOf('192.0.2.1', { site: strangers }))
  await liftNeedlessBans(fixture.services)
  expect([await ipsOf(customer, '?sortBy=ip&orderBy=asc'), await ipsOf(stranger)]).toEqual([
    ['198.51.100.1', '198.51.100.2'],
    [],
  ])
  const { after } = await ask(other)
  await fixture.asSystem((db) =>
    db
      .updateTable('nodes')
      .set({ publicAddresses: ['198.51.100.1'] })
      .where('id', '=', other.reply.nodeId)
      .execute(),
  )
  expect(await liftNeedlessBans(fixture.services)).toBe(1)
  expect((await ask(other, after, [shop])).changes).toEqual([{ site: shop, address: '198.51.100.1', seconds: 0 }])
  await set(false)
  expect(await liftNeedlessBans(fixture.services)).toBe(1)
  expect(await ipsOf(customer)).toEqual([])
})

test('reputation combines the operator’s list and bans of its sites: the worst counts, no lifted ones', async () => {
  const fileOf = async (node: TestNode, have = '') => {
    // Recomputed here; a node would fetch again after a minute.
    forgetReputation(fixture.operator)
    const { body } = await node.get(`/reputation?have=${have}`)
    const { hash, file, signature } = body as never as ReputationReply
    expect(await isSigned(node.reply.signingKeys, signature, `reputation\n${node.reply.nodeId}\n${hash}`)).toBe(true)
    if (file === undefined) return { hash }
    const bytes = Buffer.from(file, 'base64')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(hash)
    const ranges = decodeReputation(bytes)
    return { hash, scores: (...texts: string[]) => texts.map((text) => scoreIn(ranges, parseAddress(text)!)) }
  }
  await fixture.asSystem((db) => db.deleteFrom('banNotes').execute())
  const [a, b, c] = ['198.51.100.31', '198.51.100.32', '2001:db8:9:9::/64']
  await tell(east, banOf(a), banOf(b), banOf(c), banOf(b, { site: strangers }), banOf(c))
  const set = (body: object) => api.call(operator, 'PUT', '/client/setting/reputation', body)
  const networks = ['198.51.100.0/24, 10', '198.51.100.31 70 # seen by us', '', '192.0.2.0/25']
  expect((await set({ countsBans: true, networks })).status).toBe(200)
  const first = await fileOf(east)
  expect(first.scores!(a, b, '2001:db8:9:9::77', '198.51.100.1', '192.0.2.7', '192.0.2.200')).toEqual([
    70, 40, 40, 10, 100, 0,
  ])
  expect(await fileOf(other, first.hash)).toEqual({ hash: first.hash })
  const { body } = await api.call(operator, 'GET', '/client/setting/reputation')
  expect((body.data as { networks: string[] }).networks).toEqual([
    '198.51.100.0/24,10',
    '198.51.100.31,70',
    '192.0.2.0/25,100',
  ])
  const of = async (ip: string) => (await api.call(operator, 'GET', `/client/addressReputation?ip=${ip}`)).body.data
  const [at, no] = [expect.stringMatching(/^2/), { score: 0, sites: 0, lastAt: null }]
  expect(await of(a)).toEqual({
    score: 70,
    networks: [
      { network: '198.51.100.31', score: 70 },
      { network: '198.51.100.0/24', score: 10 },
    ],
    bans: { score: 20, sites: 1, lastAt: at },
  })
  expect(await of(b)).toMatchObject({ score: 40, bans: { score: 40, sites: 2, lastAt: at } })
  expect(await of('2001:db8:9:9::77')).toEqual({ score: 40, networks: [], bans: { score: 40, sites: 1, lastAt: at } })
  expect(await of('203.0.113.9')).toEqual({ score: 0, networks: [], bans: no })
  const wrong = await api.call(operator, 'GET', '/client/addressReputation?ip=example.com')
  expect([wrong.status, wrong.body.extra]).toEqual([400, [{ field: 'ip', reason: 'wrongFormat' }]])
  expect((await api.call(customer, 'GET', `/client/addressReputation?ip=${a}`)).status).toBe(403)
  // Older bans count half, lifted ones not at all.
  await fixture.asSystem((db) => sql`update ban_notes set last_at = now() - interval '8 days'`.execute(db))
  expect((await lift(customer, { ips: [a], siteID: shop })).status).toBe(200)
  expect((await set({ countsBans: true, networks: [] })).status).toBe(200)
  expect((await fileOf(east)).scores!(a, b, '2001:db8:9:9::77')).toEqual([0, 20, 20])
  await set({ countsBans: false, networks: [] })
  expect((await fileOf(east)).scores!(a, b)).toEqual([0, 0])
  for (const wrong of [['198.51.100.1,0'], ['198.51.100.1,101'], ['x'], ['1.1.1.1 5 5']])
    expect([wrong, (await set({ countsBans: true, networks: wrong })).status]).toEqual([wrong, 400])
  const twice = await set({ countsBans: true, networks: ['1.1.1.1', '1.1.1.1,7'] })
  expect([twice.status, twice.body.extra]).toEqual([409, [{ field: 'networks.1', reason: 'duplicateIP' }]])
  expect((await api.call(customer, 'GET', '/client/setting/reputation')).status).toBe(403)
})
