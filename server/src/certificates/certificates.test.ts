/** Uploaded certificates: what is rejected and why, what nodes get, and that a key is never returned. */
import { createPrivateKey } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { tellOfExpiry } from '../messages/tell-of-expiry.ts'
import { readSecrets } from '../nodes/node-secrets.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { type Authority, encrypted, type Made, makeAuthority } from './testing/make-certificate.ts'

let server: TestServer
let as: TokenSet
let authority: Authority
let site: number
let of: string
const domains: Record<string, number> = {}

beforeAll(async () => {
  authority = await makeAuthority()
  server = await makeTestServer()
  as = await server.openSession('user', 'customer')
  site = await server.makeSite(as, 'certified')
  of = `/user/site/${site}`
  const upstreams = [{ ip: '127.0.0.1', port: 80 }]
  const names = ['www.example.com', 'shop.example.com', '*.wild.example.com', 'deep.shop.example.com']
  await must('POST', `${of}/domains`, { domains: names.map((name) => ({ name, upstreams })) })
  for (const { id, name } of await must('GET', `${of}/domains`)) domains[name] = id
  await withSystem(server.services.database.db, async (db) => {
    await db.updateTable('domains').set({ ownership: 'proven' }).where('siteId', '=', site).execute()
  })
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown, by = as) => server.call(method, path, { as: by, body })
async function must(method: string, path: string, body?: unknown) {
  const reply = await call(method, path, body)
  if (reply.status !== 200) throw new Error(`${method} ${path} answered ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}
let made = 0
const upload = (input: Partial<Made & { name: string }>) =>
  call('POST', `${of}/certificate`, { name: `c${made++}`, certificate: '', privateKey: '', ...input })
const uploaded = async (input: Made) => (await upload(input)).body.data.id as number
const assign = (certificateID: number, ...names: string[]) =>
  call('PATCH', `${of}/certificate/domains`, { certificateID, domainIDs: names.map((name) => domains[name]) })

/** What nodes get of a site. */
async function published() {
  const { pool } = server.services.database
  const read = async (hash: Buffer) =>
    (await pool.query('select bytes from objects where hash = $1', [hash])).rows[0].bytes.toString() as string
  const { rows } = await pool.query('select artefact, group_id from feed_entries where site_id = $1', [site])
  const artefact = JSON.parse(await read(rows[0].artefact))
  const shownBy = (name: string) =>
    artefact.domains.find((domain: { name: string }) => domain.name === name)?.certificates ?? []
  return { artefact, groupId: rows[0].group_id as number, shownBy, read }
}

describe('an upload', () => {
  type Refusal = [why: string, field: string, reason: string, make: () => Promise<Made>]
  const refusals: Refusal[] = [
    [
      'whose key is another’s',
      'privateKey',
      'keyMismatch',
      async () => ({ ...(await authority.make()), privateKey: (await authority.make()).privateKey }),
    ],
    [
      'whose key has a passphrase',
      'privateKey',
      'encryptedKey',
      async () => {
        const one = await authority.make()
        return { ...one, privateKey: encrypted(one.privateKey) }
      },
    ],
    ['whose key is no key', 'privateKey', 'badKey', async () => ({ ...(await authority.make()), privateKey: 'none' })],
    ['whose RSA key is short', 'privateKey', 'weakKey', () => authority.make({ kind: 'rsa', bits: 1024 })],
    [
      'that is no certificate',
      'certificate',
      'badCertificate',
      async () => ({
        ...(await authority.make()),
        certificate: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----',
      }),
    ],
    [
      'that is a key in the place of a certificate',
      'certificate',
      'keyInCertificate',
      async () => {
        const one = await authority.make()
        return { ...one, certificate: one.privateKey }
      },
    ],
    [
      'of an authority alone',
      'certificate',
      'noLeaf',
      async () => ({ ...(await authority.make()), certificate: authority.intermediate }),
    ],
    ['that has ended', 'certificate', 'expiredCertificate', () => authority.make({ from: -90, to: -1 })],
    ['that has not begun', 'certificate', 'notYetValid', () => authority.make({ from: 2 })],
    ['signed with SHA-1', 'certificate', 'weakSignature', () => authority.make({ hash: 'SHA-1' })],
    ['without names', 'certificate', 'noNames', () => authority.make({ names: [] })],
    [
      'of none of the site’s names',
      'certificate',
      'noOwnName',
      () => authority.make({ names: ['elsewhere.example.net', '*.example.org'] }),
    ],
    ['that must be stapled', 'certificate', 'mustStaple', () => authority.make({ mustStaple: true })],
  ]
  test.each(refusals)('%s is rejected at %s: %s', async (_why, field, reason, make) => {
    const { status, body } = await upload(await make())
    expect([status, body.code, body.extra]).toEqual([400, 101003, [{ field, reason }]])
  })

  test('with a missing, too long or invalid name is rejected as 301001', async () => {
    const one = await authority.make()
    for (const name of ['', 'x'.repeat(257), 'my certificate', 'a/b', 'é'])
      expect([name, (await upload({ ...one, name })).body.code]).toEqual([name, 301001])
    expect((await upload({ ...one, name: '*.example.com_2-x' })).status).toBe(200)
  })

  test('that is too long is rejected, whatever it contains', async () => {
    const one = await authority.make()
    expect((await upload({ ...one, certificate: 'x'.repeat(70_000) })).body.code).toBe(101030)
    expect((await upload({ ...one, certificate: 'x'.repeat(1_200_000) })).status).toBe(413)
    expect(
      (await upload(await authority.make({ names: Array.from({ length: 201 }, (_, n) => `n${n}.wild.example.com`) })))
        .body.extra[0].reason,
    ).toBe('tooManyNames')
  })

  test('whose chain is out of order and contains a root and an unrelated certificate is corrected', async () => {
    const one = await authority.make()
    const { certificate: stranger } = await authority.make({ names: ['other.example.com'] })
    const id = await uploaded({
      ...one,
      certificate: [authority.root, stranger, authority.intermediate, one.certificate].join('\n'),
    })
    const { certificate, issuer, names } = await must('GET', `${of}/certificate/${id}`)
    const plain = (pem: string) => pem.replace(/\s/g, '')
    expect(plain(certificate)).toBe(plain(one.certificate + authority.intermediate))
    expect([issuer, names]).toEqual(['Test Test R1', ['www.example.com']])
  })
})

test('nodes get a domain’s certificates by reference and its key only sealed; no reply has the key', async () => {
  const [ec, rsa] = [await authority.make(), await authority.make({ kind: 'rsa' })]
  const [ecId, rsaId] = [await uploaded(ec), await uploaded(rsa)]
  expect((await assign(ecId, 'www.example.com')).status).toBe(200)
  expect((await assign(rsaId, 'www.example.com')).status).toBe(200)
  const { artefact, groupId, shownBy, read } = await published()
  expect(artefact.requires).toContain('certificates')
  const shown = shownBy('www.example.com')
  expect(shown.map(({ algorithm, key }: Record<string, string>) => [algorithm, key])).toEqual([
    ['ecdsa', `certificate-${ecId}@1`],
    ['rsa', `certificate-${rsaId}@1`],
  ])
  expect(JSON.parse(await read(Buffer.from(shown[0].chain, 'hex')))).toMatchObject({
    kind: 'certificate',
    certificate: ecId,
  })
  expect(shownBy('shop.example.com')).toEqual([])
  // The key is only stored sealed: it is not in a reply, the history, the audit log or what nodes fetch.
  const secret = createPrivateKey(ec.privateKey).export({ format: 'jwk' }).d!
  const texts = [
    ...['certificates', `certificate/${ecId}`, 'metaCertificates', 'domains', 'history'].map((path) => `${of}/${path}`),
  ]
  const replies = await Promise.all(texts.map(async (path) => JSON.stringify((await call('GET', path)).body)))
  const tables = ['audit', 'parts', 'revisions', 'objects', 'certificates', 'idempotency_keys']
  const { pool } = server.services.database
  const rows = await Promise.all(
    tables.map(async (table) => {
      const { rows: all } = await pool.query(`select * from ${table}`)
      return all
        .map((row) =>
          Object.values(row)
            .map((value) => (Buffer.isBuffer(value) ? value.toString() : JSON.stringify(value)))
            .join(),
        )
        .join()
    }),
  )
  const pem = ec.privateKey.split('\n')[1]!
  for (const text of [...replies, ...rows]) {
    expect(text).not.toContain('PRIVATE KEY')
    expect(text).not.toContain(pem.slice(0, 40))
    expect(text).not.toContain(secret)
  }
  expect(replies.join()).not.toContain('privateKey')
  // A node of another group does not get it.
  const ask = (node: number) =>
    withSystem(server.services.database.db, (db) =>
      readSecrets(db, server.services.vault, { groupId: node, sealKey: Buffer.alloc(0) } as never, [
        { site, ref: `certificate-${ecId}@1` },
      ]),
    )
  expect(await ask(groupId + 1000)).toEqual({ foreign: [site] })
})

test('an assignment covers every name, or is refused completely with the names that are not covered', async () => {
  const id = await uploaded(await authority.make({ names: ['shop.example.com', '*.wild.example.com'] }))
  expect((await assign(id, 'shop.example.com', '*.wild.example.com')).status).toBe(200)
  const refused = await assign(id, 'shop.example.com', 'deep.shop.example.com', 'www.example.com')
  expect([refused.status, refused.body.code]).toEqual([400, 101009])
  expect(refused.body.errors[0].targets.sort()).toEqual(['deep.shop.example.com', 'www.example.com'])
  const [row] = (await must('GET', `${of}/certificates?sortBy=createdAt`)).filter(
    (one: { id: number }) => one.id === id,
  )
  expect(row.domains).toEqual(['*.wild.example.com', 'shop.example.com'])
  expect(await must('GET', `${of}/metaCertificates`)).toContainEqual({ id, name: row.name })
  expect((await call('DELETE', `${of}/certificates`, { ids: [id] })).body.extra).toBe('certificate in use')
  expect((await assign(0, 'shop.example.com', '*.wild.example.com')).status).toBe(200)
  expect((await published()).shownBy('shop.example.com')).toEqual([])
  expect((await call('DELETE', `${of}/certificates`, { ids: [id] })).status).toBe(200)
  expect((await call('GET', `${of}/certificate/${id}`)).status).toBe(404)
  const { pool } = server.services.database
  expect((await pool.query('select from secrets where name = $1', [`certificate-${id}`])).rowCount).toBe(0)
})

test('a new certificate replaces the old one on every domain; its key gets a new version', async () => {
  const names = ['shop.example.com']
  const [one, next] = [await authority.make({ names }), await authority.make({ names, to: 180 })]
  const id = await uploaded(one)
  await assign(id, 'shop.example.com')
  const before = (await published()).shownBy('shop.example.com')[0]
  const put = (body: object) => call('PUT', `${of}/certificate`, { id, name: 'shop', ...body })
  expect((await put({ certificate: next.certificate })).body.extra).toEqual([
    { field: 'privateKey', reason: 'keyMismatch' },
  ])
  const other = await authority.make({ names: ['www.example.com'] })
  expect((await put(other)).body.code).toBe(101009)
  expect((await put({})).status).toBe(200)
  expect((await put(next)).status).toBe(200)
  const after = (await published()).shownBy('shop.example.com')[0]
  expect([before.key, after.key]).toEqual([`certificate-${id}@1`, `certificate-${id}@2`])
  expect(after.chain).not.toBe(before.chain)
  expect(await must('GET', `${of}/certificate/${id}`)).toMatchObject({ name: 'shop', domains: ['shop.example.com'] })
})

test('a restore brings back an assignment, but no earlier key or certificate', async () => {
  const id = await uploaded(await authority.make({ names: ['deep.shop.example.com'] }))
  await assign(id, 'deep.shop.example.com')
  const [{ revision }] = await must('GET', `${of}/history`)
  await assign(0, 'deep.shop.example.com')
  await must('POST', `${of}/history/restore`, { revision })
  expect((await published()).shownBy('deep.shop.example.com')).toMatchObject([{ key: `certificate-${id}@1` }])
})

test('other customers cannot see or use it', async () => {
  const id = await uploaded(await authority.make())
  await server.makeCustomer('neighbour')
  const by = await server.openSession('user', 'neighbour')
  const theirs = `/user/site/${await server.makeSite(by, 'theirs')}`
  for (const path of [`${of}/certificates`, `${of}/certificate/${id}`, `${of}/metaCertificates`])
    expect([path, (await call('GET', path, undefined, by)).status]).toEqual([path, 403])
  expect((await call('GET', `${theirs}/certificate/${id}`, undefined, by)).status).toBe(404)
  expect((await call('GET', `${theirs}/certificates`, undefined, by)).body).toMatchObject({ data: [], total: 0 })
  await call(
    'POST',
    `${theirs}/domains`,
    { domains: [{ name: 'their.example.com', upstreams: [{ ip: '127.0.0.1', port: 80 }] }] },
    by,
  )
  const [domain] = (await call('GET', `${theirs}/domains`, undefined, by)).body.data
  const stolen = await call('PATCH', `${theirs}/certificate/domains`, { certificateID: id, domainIDs: [domain.id] }, by)
  expect(stolen.status).toBe(404)
})

test('TLS settings reach nodes, and HSTS preload requires a year and includeSubDomains', async () => {
  const tls = { profile: 'modern', hstsSeconds: 31_536_000, hstsSubdomains: true, hstsPreload: true }
  const { extra } = (await call('PUT', `${of}/setting/tls`, { ...tls, hstsSubdomains: false })).body
  expect(extra).toEqual([{ field: 'hstsPreload', reason: 'preloadNeedsYear' }])
  await must('PUT', `${of}/setting/tls`, tls)
  const { artefact, read } = await published()
  const settings = JSON.parse(await read(Buffer.from(artefact.parts.settings, 'hex')))
  expect([settings.tlsProfile, settings.hsts]).toEqual(['modern', 'max-age=31536000; includeSubDomains; preload'])
  await must('DELETE', `${of}/setting/tls`)
  expect((await must('GET', `${of}/setting/tls`)).profile).toBe('default')
})

test('forced HTTPS and HTTPS-only domains reach nodes once there is a certificate', async () => {
  const id = domains['shop.example.com']
  const forced = async () =>
    (await published()).artefact.domains.find((domain: { id: number; name: string }) => domain.id === id).forceSsl
  await assign(0, 'shop.example.com')
  await must('PATCH', `${of}/domain/setting/forceSSL`, { ids: [id], forceSSL: true })
  expect(await must('GET', `${of}/domain/settings?domainName=shop.example.com`)).toMatchObject({
    forceSSL: true,
    certStatus: 0,
  })
  expect(await forced()).toBe(undefined)
  const scheme = (body: object) => call('PUT', `${of}/domain/${id}/scheme`, body)
  expect((await scheme({ scheme: 2 })).body.extra).toEqual([{ field: 'scheme', reason: 'noCertificate' }])
  await assign(await uploaded(await authority.make({ names: ['shop.example.com'] })), 'shop.example.com')
  expect(await forced()).toBe(true)
  expect((await call('GET', `${of}/domains?certStatus=1&keywords=shop.example`)).body.total).toBe(2)
  await must('PATCH', `${of}/domain/setting/forceSSL`, { ids: [id], forceSSL: false })
  expect((await scheme({ scheme: 2, portMap: { 443: 8443 } })).status).toBe(200)
  expect(await forced()).toBe(true)
  expect((await published()).artefact.requires).toEqual(['certificates', 'forceSsl', 'originPorts'])
  expect((await scheme({ scheme: 1 })).status).toBe(200)
  expect((await published()).shownBy('shop.example.com')).toEqual([])
  const closed = await scheme({ scheme: 3, portMap: { 8080: 80 } })
  expect([closed.body.code, closed.body.extra]).toEqual([401003, 'port 8080 is not open'])
  const unknown = await call('PATCH', `${of}/domain/setting/forceSSL`, { ids: [id, 999_999], forceSSL: true })
  expect(unknown.status).toBe(404)
  expect(await must('GET', `${of}/domain/settings?domainName=shop.example.com`)).toMatchObject({ forceSSL: false })
})

test('a certificate that expires soon, or has expired, is listed on the dashboard', async () => {
  const names = ['deep.shop.example.com']
  const soon = await uploaded(await authority.make({ names, from: -300, to: 12 }))
  await assign(soon, ...names)
  const waiting = async () =>
    (await must('GET', '/user/dashboard/attention')).filter((one: { name: string }) => one.name === names[0])
  expect(await waiting()).toMatchObject([{ kind: 'certificateEnding', siteID: site }])
  const { pool } = server.services.database
  await pool.query("update certificates set not_after = now() - interval '1 hour' where id = $1", [soon])
  expect(await waiting()).toMatchObject([{ kind: 'certificateEnded' }])
  // It is still served, so that visitors see that it has expired.
  expect((await published()).shownBy(names[0]!)).toHaveLength(1)
})

test('customer and operator are notified once each 30, 14, 7 and 1 days before a used certificate ends', async () => {
  const { pool } = server.services.database
  const ends = await server.makeSite(as, 'ends')
  const name = 'ends.example.net'
  await must('POST', `/user/site/${ends}/domains`, {
    domains: [{ name, upstreams: [{ ip: '127.0.0.1', port: 80 }] }],
  })
  const [domain] = await must('GET', `/user/site/${ends}/domains`)
  await pool.query("update domains set ownership = 'proven' where id = $1", [domain.id])
  await pool.query(
    `insert into notify_settings (account_id, tenant_id, locale, chat_id, events)
     select id, tenant_id, 'en_US', '4711', '{"certificateEnding": ["tg"]}' from accounts
     where account in ('customer', 'operator')`,
  )
  const input = { name: 'ends', ...(await authority.make({ names: [name] })) }
  const { id } = await must('POST', `/user/site/${ends}/certificate`, input)
  const { rows } = await pool.query('select not_after from certificates where id = $1', [id])
  const endsAt = rows[0].not_after as Date
  /** Who is notified of this certificate, this many days before it expires. */
  const toldAt = async (days: number) => {
    await tellOfExpiry(server.services, endsAt.getTime() - days * 86_400_000)
    const told = await pool.query(
      `delete from mail_outbox m using accounts a where a.id = m.account_id and m.template = 'certificateEnding'
         and m.values->>'list' like $1 returning a.account, m.values->>'list' as list`,
      [`%${name}%`],
    )
    return told.rows.map(({ account }) => account).sort()
  }
  const both = ['customer', 'operator']
  expect(await toldAt(20)).toEqual([])
  await must('PATCH', `/user/site/${ends}/certificate/domains`, { certificateID: id, domainIDs: [domain.id] })
  expect([await toldAt(30.1), await toldAt(30), await toldAt(29)]).toEqual([[], both, []])
  expect([await toldAt(14), await toldAt(5), await toldAt(4), await toldAt(1)]).toEqual([both, both, [], both])
  expect([await toldAt(0.5), await toldAt(-1)]).toEqual([[], []])
  // A replacement has notifications of its own.
  await pool.query("update certificates set not_after = not_after + interval '40 days' where id = $1", [id])
  expect([await toldAt(0), await toldAt(-11), await toldAt(-12)]).toEqual([[], both, []])
  // Automatic certificates are only reported if their renewal keeps failing.
  await pool.query('delete from domain_certificates where domain_id = $1', [domain.id])
  await pool.query("update certificates set source = 'automatic' where id = $1", [id])
  await pool.query('update domains set auto_ssl = true where id = $1', [domain.id])
  await pool.query(
    `insert into certificate_orders (domain_id, tenant_id, site_id, state, certificate_id)
     select $1, tenant_id, site_id, 'issued', id from certificates where id = $2`,
    [domain.id, id],
  )
  expect(await toldAt(-26)).toEqual([])
  await pool.query("update certificate_orders set state = 'failed', attempts = 3 where domain_id = $1", [domain.id])
  expect([await toldAt(-26), await toldAt(-27)]).toEqual([both, []])
})
