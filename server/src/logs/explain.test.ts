import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { ExplainRequest } from '@breakwater/contract/edge/node-disk.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { ensureGroupKey, readGroupKeys } from '../secrets/store.ts'
import { rowOfReference, simulate } from './explain.ts'
import { openReference } from './reference.ts'
import { type LogServer, startLogServer } from './testing/log-server.ts'
import { sealReference } from './testing/seal-reference.ts'

let server: LogServer
let key: Buffer
let rule: number
let revision: number
const time = Math.floor(Date.now() / 1000) - 30
const requestId = '00112233445566778899aabbccddeeff'

beforeAll(async () => {
  server = await startLogServer()
  const { db } = server.services.database
  await withSystem(db, (tx) => ensureGroupKey(tx, server.services.vault, server.node.groupId))
  key = (await withSystem(db, (tx) => readGroupKeys(tx, server.services.vault, server.node.groupId)))[0]!.key
  const { mine } = server
  const made = await server.call('POST', `/user/site/${mine.site}/firewall/l7/blacklists`, {
    as: mine.token,
    body: { urlRegex: '^/', ips: ['198.51.100.7'] },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  const saved = await db.selectFrom('rules').select('id').where('siteId', '=', mine.site).executeTakeFirstOrThrow()
  rule = saved.id
  revision = (await db.selectFrom('sites').select('revision').where('id', '=', mine.site).executeTakeFirstOrThrow())
    .revision
  const refused = {
    revision,
    status: 403,
    cause: 903,
    guard: 'denyRules',
    rule,
    action: 'block',
    address: '198.51.100.7',
  }
  await server.uploadEvents([
    { ...refused, time: time + 0.5, requestId: 'ffffffffffffffffffffffffffffffff', path: '/other' },
    { ...refused, time: time + 0.9, requestId, path: '/mine', query: 'a=b', userAgent: 'curl/8' },
  ])
})
afterAll(() => server.stop())

const told = () => ({
  node: server.node.nodeId,
  site: server.mine.site,
  revision,
  guard: 'denyRules',
  rule,
  cause: 903,
  time,
})
const reference = (over: object = {}, withKey = key) =>
  sealReference({ ...told(), ...over }, server.node.groupId, withKey, requestId)
const explain = (text: string, as = server.mine.token) =>
  server.call('POST', '/user/logs/explain', { as, body: { reference: text } })

test('a reference returns the rule as it was, the node, the revision and the row', async () => {
  const { body, status } = await explain(reference())
  expect(status, JSON.stringify(body)).toBe(200)
  expect(body.data).toMatchObject({
    siteID: server.mine.site,
    siteName: 'my site',
    node: 'edge-1',
    revision,
    guard: 'denyRules',
    rule,
    cause: 903,
  })
  expect(body.data.ruleBody).toMatchObject({ ips: ['198.51.100.7'] })
  expect(body.data.row).toMatchObject({ reqID: requestId, url: '/mine?a=b' })
  expect(body.data.explanation).toBeNull()
})

test('a reference still returns the rule when its row was dropped by sampling', async () => {
  const { body } = await explain(reference({ time: time - 3_600 }))
  expect(body.data).toMatchObject({ rule, row: null, explanation: null, ruleBody: { ips: ['198.51.100.7'] } })
})

test('the row of another request is never shown, however similar it is', async () => {
  const { body } = await explain(sealReference(told(), server.node.groupId, key))
  expect(body.data).toMatchObject({ rule, row: null })
})

test('a slow upload is found, though its row is half an hour later', async () => {
  const slow = `5${requestId.slice(1)}`
  await server.uploadEvents([{ ...told(), time: time + 1_800, requestId: slow, path: '/slow' }])
  const { body } = await explain(sealReference(told(), server.node.groupId, key, slow))
  expect(body.data.row).toMatchObject({ reqID: slow, url: '/slow' })
})

test('each of 10,000 refusals of one rule in one second is found by its reference', async () => {
  const ids = Array.from({ length: 10_000 }, () => randomBytes(16).toString('hex'))
  const flood = { ...told(), time: time - 600 }
  await server.uploadEvents(
    ids.map((id, i) => ({ ...flood, time: flood.time + i / 10_000, requestId: id, path: `/${i}` })),
  )
  const scope = { sites: [server.mine.site], domains: null, zones: null }
  for (let from = 0; from < ids.length; from += 500) {
    const some = ids.slice(from, from + 25)
    const rows = await Promise.all(
      some.map(async (id) => {
        const text = sealReference(flood, server.node.groupId, key, id)
        return rowOfReference(server.services.events, scope, openReference(text, key)!)
      }),
    )
    expect(rows.map((row) => [row?.requestId, row?.path])).toEqual(some.map((id, i) => [id, `/${from + i}`]))
  }
})

test('a request id returns the same', async () => {
  const { body } = await explain(requestId)
  expect(body.data).toMatchObject({ rule, time: new Date(time * 1000).toISOString(), row: { reqID: requestId } })
})

test('a guard that decides by earlier requests is explained by them, as far as they are stored', async () => {
  const { pool } = server.services.database
  const { site, token } = server.mine
  const body = { urlRegex: '^/', seconds: 60, times: 4, blockType: 1 }
  const made = await server.call('POST', `/user/site/${site}/firewall/l7/intervalRates`, { as: token, body })
  expect(made.status, JSON.stringify(made.body)).toBe(200)
  // 100 in 10 seconds: one of the defaults that apply while the operator has saved none.
  const antiCC = { urlRegex: '^/', type: 2, blockType: 1, blockSeconds: 600 }
  const second = await server.call('POST', `/user/site/${site}/firewall/l7/antiCCs`, { as: token, body: antiCC })
  expect(second.status, JSON.stringify(second.body)).toBe(200)
  const { rows } = await pool.query(
    `select r.id, r.kind, s.revision from rules r join sites s on s.id = r.site_id
     where r.kind in ('intervalRules', 'antiCC') order by r.kind desc`,
  )
  const row = (guard: string, requestId: string, at: number) => ({
    ...{ revision: rows[0].revision, guard, requestId, time: at, address: '198.51.100.9' },
    rule: rows.find(({ kind }) => kind === guard)?.id ?? 0,
  })
  const ids = [...'abcde7'].map((letter) => letter.repeat(32)) as [string, string, string, string, string, string]
  await server.uploadEvents([
    row('', ids[0], time - 70),
    { ...row('', ids[1], time - 50), weight: 4 },
    { ...row('intervalRules', ids[2], time), action: 'block' },
    { ...row('bans', ids[3], time + 1), action: 'block' },
    { ...row('siteMode', ids[4], time + 2), action: 'challenge' },
    { ...row('antiCC', ids[5], time + 3), action: 'challenge' },
  ])
  await pool.query(
    `insert into bans (site_id, address, tenant_id, until, created_at, guard, rule, cause, request_id, reference, zone_id, node)
     select id, '198.51.100.9', tenant_id, now() + interval '1 hour', to_timestamp($2), 'intervalRules', 7, 929, $3, 'ref', 1, 'edge-1'
     from sites where id = $1`,
    [site, time, ids[2]],
  )
  const before = async (id: string) => (await explain(id)).body.data.before
  expect(await before(ids[2])).toEqual({
    ...{ requests: { count: 5, seconds: 60, limit: 4 }, ban: null, attackSince: null },
  })
  expect((await before(ids[5])).requests).toEqual({ count: 4, seconds: 10, limit: 100 })
  const { ban } = await before(ids[3])
  expect(ban).toMatchObject({
    guard: 'intervalRules',
    rule: 7,
    reference: 'ref',
    since: new Date(time * 1000).toISOString(),
  })
  await pool.query('update bans set lifted_at = to_timestamp($1)', [time + 600])
  expect((await before(ids[3])).ban.until).toBe(new Date((time + 600) * 1000).toISOString())
  const attack = (from: number, to: number | null) =>
    pool.query(
      `insert into site_attacks (site_id, tenant_id, node_id, node, reason, rate, threshold, began_at, ended_at)
       select id, tenant_id, $2, 'edge-1', 'rate', 900, 200, to_timestamp($3), to_timestamp($4) from sites where id = $1`,
      [site, server.node.nodeId, from, to],
    )
  expect(await before(ids[4])).toEqual({ requests: null, ban: null, attackSince: null })
  await attack(time - 900, time - 600)
  await attack(time - 20, null)
  expect((await before(ids[4])).attackSince).toBe(new Date((time - 20) * 1000).toISOString())
  await pool.query('delete from bans')
  expect(await before(ids[3])).toEqual({ requests: null, ban: null, attackSince: null })
  expect(await before(requestId)).toBeNull()
})

test('another customer’s reference, a forged one and an unknown id are rejected with the same answer', async () => {
  const bytes = Buffer.from(reference(), 'base64url')
  bytes[20]! ^= 1
  const cases = [
    explain(reference(), server.theirs.token),
    explain(requestId, server.theirs.token),
    explain(bytes.toString('base64url')),
    explain(reference({}, Buffer.alloc(32))),
    explain(reference({ site: 999_999 })),
    explain('nothing-that-exists'),
  ]
  for (const { status, body } of await Promise.all(cases)) expect([status, body.code]).toEqual([403, 101018])
})

test('the lab gets the artefact of that revision with all it needs, and its answer is returned', async () => {
  const lab = join(server.services.env.dataFolder, 'lab')
  mkdirSync(join(lab, 'run'), { recursive: true })
  const answer = {
    steps: [{ guard: 'denyRules', phase: 'line', outcome: 'block', rule, cause: 903 }],
    verdict: 'block',
  }
  const stub = await listenOn(join(lab, 'run', 'control.sock'), (text) => {
    const asked = ExplainRequest.parse(JSON.parse(text))
    const artefact = JSON.parse(readFileSync(objectPath(lab, asked.artefact), 'utf8'))
    expect(artefact).toMatchObject({ site: server.mine.site, revision })
    for (const hash of Object.values<string>(artefact.parts)) expect(existsSync(objectPath(lab, hash))).toBe(true)
    expect(asked.request).toMatchObject({
      address: '198.51.100.7',
      path: '/mine',
      query: 'a=b',
      method: 'GET',
      headers: { 'user-agent': 'curl/8' },
    })
    return JSON.stringify(answer)
  })
  const { body } = await explain(requestId)
  stub.close()
  expect(body.data.explanation).toEqual(answer)
})

test('the explanation is null if the lab fails', async () => {
  const socket = join(server.services.env.dataFolder, 'lab', 'run', 'control.sock')
  const stub = await listenOn(socket, () => 'no JSON')
  expect((await explain(requestId)).body.data).toMatchObject({ rule, explanation: null })
  stub.close()
})

const objectPath = (lab: string, hash: string) => join(lab, 'objects', hash.slice(0, 2), hash)

/** The lab's end of the socket; the test decides what it answers. */
function listenOn(path: string, answer: (body: string) => string): Promise<Server> {
  const stub = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    try {
      response.end(answer(text))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  return new Promise((resolve) => stub.listen(path, () => resolve(stub)))
}

test('a row of a gRPC call is explained as a gRPC call, also if the edge answered it', () => {
  const callOf = (method: string, contentType: string) => simulate({ method, contentType } as RequestRow, 0).isCall
  expect(callOf('POST', 'application/grpc')).toBe(true)
  expect(callOf('POST', 'application/grpc+proto')).toBe(true)
  for (const [method, type] of [
    ['POST', 'application/grpc-web'],
    ['POST', ''],
    ['GET', 'application/grpc'],
  ] as const)
    expect(callOf(method, type)).toBeUndefined()
})

test('a refusal by the zone is explained in full to its operator, and in part to a customer', async () => {
  const { pool } = server.services.database
  const { zoneId } = server.node
  const place = `/client/zone/${zoneId}/setting`
  const set = async (group: string, body: object) => {
    const { status, body: answer } = await server.call('PUT', `${place}/${group}`, { as: server.operator, body })
    expect([status, answer.code]).toEqual([200, undefined])
  }
  await set('ipset', { enable: true, ips: ['203.0.113.0/24', '192.0.2.8-192.0.2.20'] })
  await set('anticc', { enable: true, seconds: 60, times: 3, blockType: 1 })
  const at = Date.now() / 1000 + 5
  const ids = [1, 2, 3, 4].map((n) => `${n}`.repeat(32))
  const address = '203.0.113.7'
  const of = (guard: string, requestId: string | undefined, over: object = {}) => ({
    ...{ guard, revision, address, rule: 0, status: 403, cause: 903, action: 'block', path: '/', time: at },
    ...{ ...(requestId && { requestId }), ...over },
  })
  await server.uploadEvents([
    of('ipset', ids[0]),
    of('zoneAntiCC', ids[1], { status: 429, cause: 929, time: at + 1 }),
    of('', undefined, { action: 'pass', site: server.theirs.site, status: 200, cause: 0, weight: 4 }),
    of('bansOfZone', ids[2], { status: 444, cause: 444, time: at + 2 }),
    of('bansOfZone', ids[3], { status: 444, cause: 444, time: at + 3, address: '203.0.113.99' }),
  ])
  await pool.query(
    `insert into zone_bans (zone_id, address, tenant_id, created_at, until, cause, request_id, node)
     select id, '203.0.113.7', operator_id, to_timestamp($2), to_timestamp($3), 'zoneAntiCC', $4, 'edge-7' from zones where id = $1`,
    [zoneId, at + 1.5, at + 601.5, ids[1]],
  )
  const asOperator = async (id: string) =>
    (await server.call('POST', '/client/logs/explain', { as: server.operator, body: { reference: id } })).body.data
  const asCustomer = async (id: string) => (await explain(id)).body.data
  const zone = { id: zoneId, name: expect.any(String) }
  const ban = { cause: 'zoneAntiCC', since: iso(at + 1.5), until: iso(at + 601.5) }

  const listed = await asOperator(ids[0]!)
  expect(listed).toMatchObject({ guard: 'ipset', cause: 903, rule: 0, before: null })
  expect(listed.byZone).toMatchObject({ zone, limit: null, ban: null })
  expect(listed.byZone.list).toMatchObject({ isListed: true, entry: '203.0.113.0/24', revision: expect.any(Number) })
  const untold = { entry: null, revision: null, savedAt: null }
  expect((await asCustomer(ids[0]!)).byZone).toEqual({
    ...{ zone: null, list: { isListed: true, ...untold }, limit: null, ban: null },
  })

  // The count covers all sites of the zone, including other customers' sites: only the operator may see it.
  const limited = await asOperator(ids[1]!)
  expect(limited.byZone).toEqual({
    ...{ zone, list: null, limit: { count: 6, seconds: 60, limit: 3 }, ban: { ...ban, node: 'edge-7' } },
  })
  expect((await asCustomer(ids[1]!)).byZone).toEqual({
    zone: null,
    list: null,
    limit: null,
    ban: { ...ban, node: null },
  })

  expect((await asOperator(ids[2]!)).byZone.ban).toEqual({ ...ban, node: 'edge-7' })
  expect((await asCustomer(ids[2]!)).byZone.ban).toEqual({ ...ban, node: null })
  // The ban of another address does not apply to this one, and what is not stored is null.
  expect((await asOperator(ids[3]!)).byZone).toEqual({ zone, list: null, limit: null, ban: null })
  await set('ipset', { enable: false, ips: ['203.0.113.0/24'] })
  expect((await asOperator(ids[0]!)).byZone.list).toMatchObject({ isListed: false, entry: '203.0.113.0/24' })
  expect((await asCustomer(ids[0]!)).byZone.list).toEqual({ isListed: false, ...untold })
  expect((await asOperator(requestId)).byZone).toBeNull()
})

const iso = (seconds: number) => new Date(seconds * 1000).toISOString()
