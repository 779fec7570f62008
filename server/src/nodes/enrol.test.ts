import { X509Certificate } from 'node:crypto'
import { get } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAuthority } from '../authority/authority.ts'
import { type NodeApiFixture, newDataFolder, startNodeApiFixture } from './testing/node-api-fixture.ts'
import { certificateRequest, enrolBody, enrolNode, exchange } from './testing/test-node.ts'

let fixture: NodeApiFixture
beforeAll(async () => {
  fixture = await startNodeApiFixture()
})
afterAll(() => fixture.close())

const send = (body: unknown) => exchange(fixture.server, fixture.authority.certificate, {}, 'POST', '/enrol', { body })
const nodeCount = () => fixture.asSystem(async (db) => (await db.selectFrom('nodes').select('id').execute()).length)

test('a machine with a token becomes a node in use in its zone, identified by its own certificate', async () => {
  const { token } = await fixture.token(fixture.east.zoneId, 'node')
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  expect(node.reply).toMatchObject({ zoneId: fixture.east.zoneId, groupId: fixture.east.groupId })
  expect(node.reply.signingKeys).toEqual(fixture.authority.signer.keys())
  const certificate = new X509Certificate(node.reply.certificate)
  expect(certificate.subject).toBe(`CN=${node.reply.nodeId}`)
  expect(certificate.checkIssued(new X509Certificate(node.reply.authority))).toBe(true)
  const row = await fixture.asSystem((db) =>
    db.selectFrom('nodes').selectAll().where('id', '=', node.reply.nodeId).executeTakeFirstOrThrow(),
  )
  expect(row).toMatchObject({ name: 'machine', ip: '127.0.0.1', version: '0.1.0', schemas: [2] })
  expect(row.certificateSerial).toBe(certificate.serialNumber.toLowerCase())
  const keys = await fixture.asSystem((db) =>
    db.selectFrom('secrets').select('name').where('groupId', '=', fixture.east.groupId).execute(),
  )
  expect(keys).toEqual([{ name: 'groupKey' }])
})

test('the name that the operator gave with the token is the node’s name', async () => {
  const { token } = await fixture.token(fixture.east.zoneId, 'taipei-1')
  const { reply } = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const row = await fixture.asSystem((db) =>
    db.selectFrom('nodes').select('name').where('id', '=', reply.nodeId).executeTakeFirstOrThrow(),
  )
  expect(row.name).toBe('taipei-1')
})

test('of two machines that use one token at once, one gets in', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  const before = await nodeCount()
  const bodies = await Promise.all(Array.from({ length: 8 }, () => enrolBody(token)))
  const answers = await Promise.all(bodies.map(({ body }) => send(body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(401)])
  expect(answers.filter(({ status }) => status === 401).every(({ body }) => body.code === 101013)).toBe(true)
  expect(await nodeCount()).toBe(before + 1)
})

test('an expired or unknown token is rejected', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  await fixture.asSystem((db) =>
    db
      .updateTable('enrolTokens')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('usedAt', 'is', null)
      .execute(),
  )
  expect((await send((await enrolBody(token)).body)).body.code).toBe(101014)
  expect((await send((await enrolBody('bwn_guess')).body)).body.code).toBe(101013)
})

test('a token lives 15 minutes and only its hash is stored', async () => {
  const { token, expiresAt } = await fixture.token(fixture.east.zoneId)
  expect(Math.abs(expiresAt.getTime() - Date.now() - 15 * 60_000)).toBeLessThan(60_000)
  const rows = await fixture.asSystem((db) => db.selectFrom('enrolTokens').selectAll().execute())
  expect(JSON.stringify(rows.map((row) => row.tokenHash.toString('utf8')))).not.toContain(token)
})

test('a clock more than 30 s off is rejected, and so is an unsupported schema; the token stays valid', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  for (const clock of [-31_000, 60_000]) {
    // Time passes until the request is processed: hence the margin for a clock that is ahead.
    expect((await send((await enrolBody(token, { clock: Date.now() + clock })).body)).body.code).toBe(202006)
  }
  expect((await send((await enrolBody(token, { schemas: [3, 4] })).body)).body.code).toBe(202008)
  expect((await send((await enrolBody(token, { clock: Date.now() - 15_000 })).body)).status).toBe(200)
})

test('a request without proof of its key is rejected at its field, and the token stays valid', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  const { csr } = await certificateRequest()
  // Flip one bit at the end of the signature.
  const der = Buffer.from(csr.replace(/-----[^-]+-----|\s/g, ''), 'base64')
  der[der.length - 1]! ^= 1
  const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----`
  for (const wrong of [forged, 'nonsense', '']) {
    const answer = await send((await enrolBody(token, { csr: wrong })).body)
    expect(answer.body).toMatchObject({ code: 101003, extra: [{ field: 'csr', reason: 'wrongFormat' }] })
  }
  // With an all-zero point the shared secret is the same for everybody.
  for (const sealKey of [Buffer.alloc(32).toString('base64'), 'AAAA']) {
    const answer = await send((await enrolBody(token, { sealKey })).body)
    expect(answer.body).toMatchObject({ code: 101003, extra: [{ field: 'sealKey', reason: 'wrongFormat' }] })
  }
  expect((await send((await enrolBody(token)).body)).status).toBe(200)
})

test('a machine in a zone without a group waits to be initialised', async () => {
  const zone = await fixture.asSystem((db) =>
    db
      .insertInto('zones')
      .values({ operatorId: fixture.operator, name: 'empty' })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  const { token } = await fixture.token(zone.id)
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  expect(node.reply.groupId).toBe(0)
  const feed = await node.get('/feed?epoch=0&after=0&schema=2')
  expect(feed).toMatchObject({ status: 200, body: { after: 0, desired: 0, entries: '[]' } })
})

test('no route but enrolment is accessible without a certificate of this authority', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const other = await openAuthority(newDataFolder())
  const { csr, key } = await certificateRequest()
  const foreign = { key, cert: await (await other.checkRequest(csr))!.issue(node.reply.nodeId) }
  const serverKeys = await fixture.authority.issueServer(['localhost'])
  const strangers = [{}, foreign, { key: serverKeys.key, cert: serverKeys.certificate }]
  const routes = [
    'GET /stream',
    'GET /feed?epoch=0&after=0&schema=2',
    'POST /objects',
    'POST /secrets',
    'GET /tasks?after=0',
    'POST /renew',
  ]
  for (const keys of strangers)
    for (const route of [...routes, 'POST /tasks/receipts', 'POST /report', 'POST /events', 'GET /nothing']) {
      const [method = '', path = ''] = route.split(' ')
      const answer = await exchange(fixture.server, fixture.authority.certificate, keys, method, path)
      expect([route, answer.status, answer.body.code]).toEqual([route, 401, 101012])
    }
  expect(fixture.lines.some((line) => line.security === 'certificate')).toBe(true)
})

test('a certificate of this authority that belongs to no node is rejected', async () => {
  const { csr, key } = await certificateRequest()
  const stray = await fixture.authority.checkRequest(csr)
  const { token } = await fixture.token(fixture.east.zoneId)
  const node = await enrolNode(fixture.server, fixture.authority.certificate, token)
  const keys = { key, cert: await stray!.issue(node.reply.nodeId) }
  expect((await exchange(fixture.server, fixture.authority.certificate, keys, 'GET', '/tasks?after=0')).status).toBe(
    401,
  )
  expect((await node.get('/tasks?after=0')).status).toBe(200)
})

test('TLS versions older than 1.3 are not supported', async () => {
  const { connect } = await import('node:tls')
  const failed = new Promise<string>((resolve, reject) => {
    const socket = connect(
      { port: fixture.nodeApi.port, host: '127.0.0.1', ca: fixture.authority.certificate, maxVersion: 'TLSv1.2' },
      () => reject(new Error(`connected with ${socket.getProtocol()}`)),
    )
    socket.on('error', (error) => resolve(error.message))
  })
  expect(await failed).toMatch(/alert|protocol|version/i)
})

test('a machine that lost the answer can enrol again with its token and key, and is the same node', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  const { body, key } = await enrolBody(token)
  const first = await send(body)
  const nodes = await nodeCount()
  const second = await send(body)
  expect(second.status).toBe(200)
  expect(second.body.nodeId).toBe(first.body.nodeId)
  expect(await nodeCount()).toBe(nodes)
  const ask = (cert: unknown) =>
    exchange(fixture.server, fixture.authority.certificate, { key, cert: String(cert) }, 'GET', '/tasks?after=0')
  expect((await ask(second.body.certificate)).status).toBe(200)
  expect((await ask(first.body.certificate)).status).toBe(401)
  // With another key it would be another machine; and it fails once the token has expired or the node was removed.
  expect((await send((await enrolBody(token)).body)).body.code).toBe(101013)
  await fixture.asSystem((db) =>
    db.updateTable('nodes').set({ revokedAt: new Date() }).where('id', '=', Number(first.body.nodeId)).execute(),
  )
  expect((await send(body)).body.code).toBe(101013)
})

test('a renewed certificate replaces the old one at its first use; until then the old one is valid', async () => {
  const { token } = await fixture.token(fixture.east.zoneId)
  const { body, key } = await enrolBody(token)
  const old = String((await send(body)).body.certificate)
  const as = (cert: string, method: string, path: string, sent?: unknown) =>
    exchange(
      fixture.server,
      fixture.authority.certificate,
      { key, cert },
      method,
      path,
      sent ? { body: sent } : undefined,
    )
  const unused = await as(old, 'POST', '/renew', { csr: body.csr })
  const renewed = await as(old, 'POST', '/renew', { csr: body.csr })
  expect(renewed.status).toBe(200)
  expect((await as(String(unused.body.certificate), 'GET', '/tasks?after=0')).status).toBe(401)
  expect((await as(old, 'GET', '/tasks?after=0')).status).toBe(200)
  expect((await as(String(renewed.body.certificate), 'GET', '/tasks?after=0')).status).toBe(200)
  expect((await as(old, 'GET', '/tasks?after=0')).status).toBe(401)
  const days = (Date.parse(new X509Certificate(old).validTo) - Date.now()) / 86_400_000
  expect(Math.round(days)).toBe(365)
  const foreign = await certificateRequest()
  const refused = await as(String(renewed.body.certificate), 'POST', '/renew', { csr: foreign.csr })
  expect(refused.body.code).toBe(101018)
})

test('metrics of the node API are available to this machine', async () => {
  const { port } = new URL(fixture.server)
  const text = await new Promise<string>((resolve, reject) => {
    const options = { ca: fixture.authority.certificate, agent: false as const }
    get(`https://127.0.0.1:${port}/metrics`, options, async (message) => {
      const chunks: Buffer[] = []
      for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
      resolve(Buffer.concat(chunks).toString())
    }).on('error', reject)
  })
  const enrolled = /^breakwater_node_api_enrolled\{[^}]*\} (\d+)$/m.exec(text)?.[1]
  expect(Number(enrolled)).toBe(fixture.nodeApi.metrics.enrolled)
})
