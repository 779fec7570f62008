/**
 * Automatic certificates from a real authority: ordered, proven through what nodes receive, renewed, and refused with a
 * clear reason.
 */
import { X509Certificate } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../../../tests/harness/ports.ts'
import { withSystem } from '../../db/database.ts'
import { type DnsServerUnderTest, startDnsServer, startZone, type ZoneUnderTest } from '../../testing/dns-server.ts'
import { makeTestServer, type TestServer } from '../../testing/server.ts'
import { type Pebble, startPebble } from '../testing/pebble.ts'
import { accountOf, makerOf } from './maker.ts'
import { orderDueCertificates } from './order-due.ts'
import { makeRequest, renewalId } from './request.ts'
import { askAgainMs } from './timing.ts'

let server: TestServer
let dns: DnsServerUnderTest
let zone: ZoneUnderTest
let pebble: Pebble
let node: Server
let as: TokenSet
let operator: TokenSet
let site: number
let of: string
const domains: Record<string, number> = {}
const names = ['one.example.com', 'two.example.com', 'away.example.com', 'absent.example.com', 'pending.example.com']
const challenges: string[] = []
const key = { name: 'breakwater', secret: Buffer.from('a secret of 32 bytes, or about so').toString('base64') }
const provider = () => ({ dnsType: 'rfc2136', domain: 'edge.example.net', account: zone.at, key: key.name })

beforeAll(async () => {
  const port = await freePort()
  zone = await startZone('edge.example.net', key)
  dns = await startDnsServer(zone)
  for (const name of names.slice(0, 2)) dns.set(name, 'A', '127.0.0.1')
  dns.set('pending.example.com', 'A', '127.0.0.1')
  // Nothing listens at this address.
  dns.set('away.example.com', 'A', '127.0.0.77')
  pebble = await startPebble(port, dns.at)
  server = await makeTestServer({ acmeHttpPort: port, dnsServers: [dns.at] })
  as = await server.openSession('user', 'customer')
  operator = await server.openSession('client', 'operator')
  site = await server.makeSite(as, 'automatic')
  of = `/user/site/${site}`
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  await must('POST', `${of}/domains`, {
    domains: [...names, '*.example.com', '*.wild.example', 'wild.example'].map((name) => ({ name, upstreams })),
  })
  for (const { id, name } of await must('GET', `${of}/domains`)) domains[name] = id
  await withSystem(server.services.database.db, async (db) => {
    const proven = db.updateTable('domains').set({ ownership: 'proven' }).where('siteId', '=', site)
    await proven.where('name', '!=', 'pending.example.com').execute()
  })
  node = await startNode(port)
  const { directory: url, trusted: authorities, keyID, hmacKey } = pebble
  const acme = { enable: true, url, email: 'a@example.com', profile: '', keyID, hmacKey, authorities, perSite: 5 }
  await must('PUT', '/client/setting/acme', acme, operator)
})
afterAll(async () => {
  node?.close()
  await server?.stop()
  await pebble?.stop()
  await dns?.stop()
  await zone?.stop()
})

async function must(method: string, path: string, body?: unknown, by = as) {
  const reply = await server.call(method, path, { as: by, body })
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}
const autoSSL = (enable: boolean, ...which: string[]) =>
  server.call('POST', `${of}/domain/setting/autoSSL`, { as, body: { ids: which.map((name) => domains[name]), enable } })
/** Orders again, regardless of how earlier orders ended. */
async function again(...which: string[]) {
  await server.services.database.pool.query(
    'update certificate_orders set next_at = now(), renew_at = now() where domain_id = any ($1)',
    [which.map((name) => domains[name])],
  )
  await orderDue()
}
async function storedAcme() {
  const { hmacKeySet: _, ...acme } = await must('GET', '/client/setting/acme', undefined, operator)
  return acme
}
const orderDue = () => orderDueCertificates(server.services)
const settings = (name: string) => must('GET', `${of}/domain/settings?domainName=${name}`)

/** What nodes receive about a domain. */
async function told(name: string) {
  const { pool } = server.services.database
  const { rows } = await pool.query(
    'select o.bytes from feed_entries f join objects o on o.hash = f.artefact where f.site_id = $1',
    [site],
  )
  const { domains: all } = JSON.parse(rows[0].bytes.toString())
  return all.find((domain: { name: string }) => domain.name === name)
}

/** A node that knows nothing but its feed: it answers challenges as the edge's request path does. */
async function startNode(port: number): Promise<Server> {
  const made = createServer(async (request, reply) => {
    const host = request.headers.host?.replace(/:.*/, '') ?? ''
    const token = /^\/\.well-known\/acme-challenge\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    const thumbprint = (await told(host))?.acme
    challenges.push(`${host} ${token?.startsWith('preflight-') ? 'preflight' : 'challenge'}`)
    if (thumbprint && token) reply.end(`${token}.${thumbprint}`)
    else reply.writeHead(404).end()
  })
  await new Promise<void>((resolve) => made.listen(port, '127.0.0.1', resolve))
  return made
}

const events = async () => (await server.services.database.pool.query('select kind, name from acme_events')).rows

test('a domain gets a certificate by enabling it: proven over HTTP, and served by every node', async () => {
  expect((await autoSSL(true, 'one.example.com', 'two.example.com')).status).toBe(200)
  expect(await settings('one.example.com')).toMatchObject({ autoSSL: true, certStatus: 4 })
  await orderDue()
  for (const name of ['one.example.com', 'two.example.com']) {
    expect(await settings(name)).toMatchObject({ certStatus: 1, certificate: { name, detail: '' } })
    const { certificates } = await told(name)
    expect(certificates).toMatchObject([{ algorithm: 'ecdsa', isAutomatic: true }])
  }
  const [row] = await must('GET', `${of}/certificates?name=one.example.com`)
  expect(row).toMatchObject({ source: 'automatic', names: ['one.example.com'], domains: ['one.example.com'] })
  const { certificate } = await must('GET', `${of}/certificate/${row.id}`)
  expect(new X509Certificate(certificate).issuer).toMatch(/Pebble Intermediate/)
  // Our own preflight comes first.
  expect(challenges.filter((one) => one.startsWith('one.')).slice(0, 2)).toEqual([
    'one.example.com preflight',
    'one.example.com challenge',
  ])
  expect((await must('GET', `${of}/history`))[0].action).toBe('site.certificate.issued')
})

test('what an authority would refuse is reported as a clear reason, without asking the authority', async () => {
  const before = (await events()).length
  await autoSSL(true, 'away.example.com', 'absent.example.com', 'pending.example.com')
  await orderDue()
  const said = await Promise.all(names.slice(2).map(async (name) => (await settings(name)).certificate?.detail))
  expect(said).toEqual(['notPointing', 'noAddress', 'notProven'])
  expect(await settings('away.example.com')).toMatchObject({ certStatus: 5 })
  expect(await events()).toHaveLength(before)
  await autoSSL(false, 'away.example.com', 'absent.example.com', 'pending.example.com')
})

test('a wildcard is refused without a DNS provider, and so is one domain more than a site may have', async () => {
  const refusal = await autoSSL(true, '*.example.com')
  expect([refusal.status, refusal.body.code]).toEqual([400, 101006])
  expect(await settings('*.example.com')).toMatchObject({ autoSSL: false, challengeRecord: null })
  const { hmacKeySet, ...acme } = await must('GET', '/client/setting/acme', undefined, operator)
  expect([hmacKeySet, acme.hmacKey]).toEqual([true, ''])
  await must('PUT', '/client/setting/acme', { ...acme, perSite: 2 }, operator)
  const refused = await autoSSL(true, 'away.example.com')
  expect([refused.status, refused.body.code]).toEqual([409, 401004])
  expect(await settings('away.example.com')).toMatchObject({ autoSSL: false })
})

test('a DNS provider is tested with a record, and its secret is sent to no other server', async () => {
  const test = (body: object) => server.call('POST', '/client/setting/dns/test', { as: operator, body })
  expect((await test({ ...provider(), secret: key.secret })).status).toBe(200)
  expect(zone.said.splice(0)).toEqual(['+ _breakwater-test.edge.example.net', '- _breakwater-test.edge.example.net'])
  const wrong = await test({ ...provider(), secret: Buffer.from('another').toString('base64') })
  expect([wrong.status, wrong.body.code, wrong.body.extra]).toEqual([400, 101006, '127.0.0.1 answered NOTAUTH'])
  expect((await test({ ...provider(), domain: 'other.example', secret: key.secret })).body.extra).toMatch(/NOTZONE$/)
  const nobody = await test({ ...provider(), account: '127.0.0.1:1', secret: key.secret })
  expect([nobody.body.code, nobody.body.extra]).toEqual([101006, expect.stringMatching(/ECONNREFUSED/)])
  await must('POST', '/client/setting/dns', { ...provider(), secret: key.secret }, operator)
  expect(await must('GET', '/client/setting/dns', undefined, operator)).toEqual({
    ...provider(),
    ...{ secret: '', secretSet: true },
  })
  expect((await test({ ...provider(), secret: '' })).status).toBe(200)
  const moved = await test({ ...provider(), account: 'evil.example.net', secret: '' })
  expect(moved.body.extra).toEqual([{ field: 'secret', reason: 'giveSecretAgain' }])
  const empty = await server.call('POST', '/client/setting/dns', {
    as: operator,
    body: { ...provider(), domain: 'not a zone', key: '', secret: '' },
  })
  expect(empty.body.extra).toEqual([
    { field: 'domain', reason: 'wrongFormat' },
    { field: 'key', reason: 'required' },
  ])
  expect((await must('GET', '/client/account/self', undefined, operator)).dnsType).toBe('rfc2136')
  zone.said.splice(0)
})

test('a wildcard and its parent name share one certificate, proven over DNS by a record that is set once', async () => {
  await must('PUT', '/client/setting/acme', { ...(await storedAcme()), perSite: 5 }, operator)
  expect((await autoSSL(true, '*.wild.example', 'wild.example')).status).toBe(200)
  await orderDue()
  expect((await settings('*.wild.example')).certificate.detail).toBe('notDelegated')
  const { name, value } = (await settings('*.wild.example')).challengeRecord
  expect([name, value]).toEqual([
    '_acme-challenge.wild.example',
    expect.stringMatching(/^[0-9a-f]{24}\.acme\.edge\.example\.net$/),
  ])
  expect((await settings('wild.example')).challengeRecord).toEqual({ name, value })
  dns.set(name, 'CNAME', value)
  await again('*.wild.example', 'wild.example')
  expect(await settings('*.wild.example')).toMatchObject({ certStatus: 1, certificate: { detail: '' } })
  const [wildcard, apex] = [await told('*.wild.example'), await told('wild.example')]
  expect(apex.certificates).toEqual(wildcard.certificates)
  const rows = await must('GET', `${of}/certificates?name=wild.example`)
  expect(rows.map((row: { names: string[] }) => row.names.toSorted())).toEqual([['*.wild.example', 'wild.example']])
  // Both values were there at the same time and were removed.
  expect(zone.said.splice(0)).toEqual([`+ ${value}`, `+ ${value}`, `- ${value}`, `- ${value}`])
  expect(zone.texts.get(value)?.size).toBe(0)
  // The next order of the wildcard replaces the certificate for both names.
  await again('*.wild.example', 'wild.example')
  const [renewed] = (await told('wild.example')).certificates
  expect(renewed.key).toBe(wildcard.certificates[0].key.replace('@1', '@2'))
  expect((await events()).map((event) => event.name).slice(2)).toEqual(['*.wild.example', '*.wild.example'])
  await autoSSL(false, '*.wild.example', 'wild.example')
})

test('a name not yet pointing here is proven by the same record; a dead process’s records are removed', async () => {
  await autoSSL(true, 'away.example.com')
  const { name, value } = (await settings('away.example.com')).challengeRecord
  await orderDue()
  expect((await settings('away.example.com')).certificate.detail).toBe('notPointing')
  dns.set(name, 'CNAME', value)
  const { pool } = server.services.database
  zone.texts.set('old.acme.edge.example.net', new Set(['left']))
  await pool.query(
    `insert into challenge_records (tenant_id, name, value, written_at)
    select tenant_id, 'old.acme.edge.example.net', 'left', now() - interval '2 hours' from settings where name = 'dns'`,
  )
  await again('away.example.com')
  expect(await settings('away.example.com')).toMatchObject({ certStatus: 1 })
  expect(zone.texts.get('old.acme.edge.example.net')?.size).toBe(0)
  expect((await pool.query('select from challenge_records')).rowCount).toBe(0)
  await autoSSL(false, 'away.example.com')
  await must('DELETE', '/client/setting/dns', undefined, operator)
  expect((await autoSSL(true, '*.wild.example')).body.code).toBe(101006)
  expect((await must('GET', '/client/account/self', undefined, operator)).dnsType).toBe('')
})

test('the operator sees the orders of all customers and renews one: a new key replaces the old one', async () => {
  const list = (query = '') => server.call('GET', `/client/autoCertificates${query}`, { as: operator })
  const { body } = await list(`?siteID=${site}`)
  expect(body.data.map((row: { domainName: string; status: number }) => [row.domainName, row.status])).toEqual([
    ['one.example.com', 1],
    ['two.example.com', 1],
  ])
  expect(new Date(body.data[0].renewAt).getTime()).toBeGreaterThan(Date.now())
  expect((await list('?domainName=two&status=1')).body.total).toBe(1)
  expect((await list(`?siteID=${site}&status=5`)).body.total).toBe(0)
  const [before] = (await told('one.example.com')).certificates
  await must('POST', '/client/autoCertificates/renew', { ids: [domains['one.example.com']] }, operator)
  await orderDue()
  const [after] = (await told('one.example.com')).certificates
  expect([before.key, after.key].map((key) => key.split('@')[1])).toEqual(['1', '2'])
  expect(after.chain).not.toBe(before.chain)
  expect(after.notAfter).toBeGreaterThanOrEqual(before.notAfter)
})

test('an authority’s renewal suggestions are followed, and it is told what is replaced', async (context) => {
  if (!pebble.hasRenewalInfo) context.skip()
  const { database } = server.services
  const { pool } = database
  const stored = async () => {
    const { rows } = await pool.query(
      `select c.chain, o.renew_at, o.next_at from certificate_orders o join certificates c on c.id = o.certificate_id
       where o.domain_id = $1`,
      [domains['two.example.com']],
    )
    return rows[0] as { chain: string; renew_at: Date; next_at: Date }
  }
  const { rows } = await pool.query("select id from tenants where kind = 'operator' limit 1")
  const maker = await makerOf(server.services, { operatorId: rows[0].id, attempts: 0 })
  const before = await stored()
  const window = (await maker.client.renewalWindow(renewalId(before.chain)!))!
  expect(before.renew_at.getTime()).toBeGreaterThanOrEqual(window.start - 1000)
  expect(before.renew_at.getTime()).toBeLessThanOrEqual(window.end + 1000)
  expect(before.next_at.getTime()).toBeLessThanOrEqual(Date.now() + askAgainMs(window.retryAfterSeconds))
  await must('POST', '/client/autoCertificates/renew', { ids: [domains['two.example.com']] }, operator)
  await orderDue()
  expect((await stored()).chain).not.toBe(before.chain)
  // The authority knows that the certificate was replaced and does not accept a second replacement.
  const { csr } = await makeRequest(['two.example.com'])
  const account = await accountOf(database.db, maker)
  const once = maker.client.order(
    account,
    ['two.example.com'],
    csr,
    { type: 'http-01' },
    { replaces: renewalId(before.chain)! },
  )
  await expect(once).rejects.toThrow(/replace/)
})

test('a restore loses no certificate: the domain keeps its current one and its order', async () => {
  const revisions = await must('GET', `${of}/history?pageSize=50`)
  const old = revisions.at(-1).revision + 1
  await must('POST', `${of}/history/restore`, { revision: old })
  await autoSSL(true, 'one.example.com', 'two.example.com')
  const asked = (await events()).length
  await orderDue()
  expect(await settings('one.example.com')).toMatchObject({ certStatus: 1 })
  expect(await events()).toHaveLength(asked)
})

test('if the authority is unavailable the certificate is kept, and the order is retried later', async () => {
  await pebble.stop()
  await must('POST', '/client/autoCertificates/renew', { ids: [domains['two.example.com']] }, operator)
  await orderDue()
  expect(await settings('two.example.com')).toMatchObject({
    certStatus: 1,
    certificate: { detail: expect.stringMatching(/./) },
  })
  const { rows } = await server.services.database.pool.query(
    "select attempts, next_at > now() + interval '30 seconds' as later from certificate_orders where domain_id = $1",
    [domains['two.example.com']],
  )
  expect(rows[0]).toEqual({ attempts: 1, later: true })
})

test('when disabled, challenges go to the origin again and the certificate is no longer served', async () => {
  expect((await told('one.example.com')).acme).toMatch(/^[\w-]{43}$/)
  await autoSSL(false, 'one.example.com')
  const { acme, certificates } = await told('one.example.com')
  expect([acme, certificates]).toEqual([undefined, undefined])
  expect(await settings('one.example.com')).toMatchObject({ certStatus: 0 })
})

test('an operator’s keys at authorities are write-only', async () => {
  await must('PUT', '/client/setting/zeroSSL', { enable: true, accessKey: 'zero-secret', email: '' }, operator)
  await must('PUT', '/client/setting/googleTrust', { enable: true, keyID: 'g1', hmacKey: 'goog-secret' }, operator)
  expect(await must('GET', '/client/setting/zeroSSL', undefined, operator)).toEqual({
    enable: true,
    accessKey: '',
    accessKeySet: true,
    email: '',
  })
  expect(await must('GET', '/client/setting/googleTrust', undefined, operator)).toEqual({
    enable: true,
    keyID: 'g1',
    hmacKey: '',
    hmacKeySet: true,
  })
  const { rows } = await server.services.database.pool.query(
    'select value::text as text from settings union all select detail::text from audit',
  )
  expect(rows.map(({ text }) => text).join()).not.toMatch(/zero-secret|goog-secret|zWNDZM6e/)
  // A stored key is not sent to a different directory.
  const { hmacKeySet: _, ...acme } = await must('GET', '/client/setting/acme', undefined, operator)
  const moved = await server.call('PUT', '/client/setting/acme', {
    as: operator,
    body: { ...acme, url: 'https://evil.example.net/dir' },
  })
  expect(moved.body.extra).toEqual([{ field: 'hmacKey', reason: 'giveSecretAgain' }])
})
