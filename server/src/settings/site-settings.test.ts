/** A settings group of a site: defaults, changes, publishing, history. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeAuthority } from '../certificates/testing/make-certificate.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let site: number
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  site = await server.makeSite(as, 'shop')
})
afterAll(() => server.stop())

const of = () => `/user/site/${site}`
const path = () => `${of()}/setting/originTimeouts`
const get = async () => (await server.call('GET', path(), { as })).body.data
const revision = async () => (await server.call('GET', of(), { as })).body.data.revision as number
const defaults = { connect: 5, firstByte: 60, idle: 60, websocketIdle: 600 }

/** The site's settings as nodes get them. */
async function published() {
  const { pool } = server.services.database
  const bytesOf = async (hash: Buffer) =>
    JSON.parse((await pool.query('select bytes from objects where hash = $1', [hash])).rows[0].bytes.toString())
  const { rows } = await pool.query('select artefact from feed_entries where site_id = $1', [site])
  const artefact = await bytesOf(rows[0].artefact)
  return bytesOf(Buffer.from(artefact.parts.settings, 'hex'))
}

test('the defaults apply and are published until something is saved', async () => {
  expect(await get()).toEqual(defaults)
  expect(await published()).toMatchObject({
    originConnectTimeoutMs: 5000,
    originFirstByteTimeoutMs: 60_000,
    originIdleTimeoutMs: 60_000,
    websocketIdleTimeoutMs: 600_000,
  })
})

test('a change is one revision, reaches nodes, is in the history and the audit log, and can be restored', async () => {
  const before = await revision()
  const changed = { ...defaults, firstByte: 300 }
  expect((await server.call('PUT', path(), { as, body: changed })).status).toBe(200)
  expect(await get()).toEqual(changed)
  expect(await revision()).toBe(before + 1)
  expect((await published()).originFirstByteTimeoutMs).toBe(300_000)
  const diff = await server.call('GET', `${of()}/history/diff?from=${before}&to=${before + 1}`, { as })
  expect(diff.body.data.changes).toMatchObject([
    { path: 'settings/originTimeouts', kind: 'added', before: null, after: changed, isRestored: true },
  ])
  const { rows } = await server.services.database.pool.query(
    "select site_id from audit where action = 'site.setting.originTimeouts.update'",
  )
  expect(rows).toEqual([{ site_id: site }])
  await server.call('POST', `${of()}/history/restore`, { as, body: { revision: before } })
  expect(await get()).toEqual(defaults)
  await server.call('POST', `${of()}/history/restore`, { as, body: { revision: before + 1 } })
  expect(await get()).toEqual(changed)
})

test('a save based on outdated values is rejected and changes nothing', async () => {
  const put = (body: object) => server.call('PUT', path(), { as, body })
  const seen = await get()
  const first = { ...seen, connect: 7 }
  expect((await put({ ...first, basedOn: seen })).status).toBe(200)
  const before = await revision()
  const second = await put({ ...seen, idle: 9, basedOn: seen })
  expect([second.status, second.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
  expect([await get(), await revision()]).toEqual([first, before])
  // The fields that nobody else changed are enough, and `basedOn` is not a field of the group.
  expect((await put({ ...first, idle: 9, basedOn: { idle: seen.idle } })).status).toBe(200)
  expect(await get()).toEqual({ ...first, idle: 9 })
  // Of two concurrent saves based on the same values, one is rejected.
  const both = await Promise.all([1, 2].map((connect) => put({ ...first, connect, basedOn: { connect: 7 } })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('removing restores the defaults', async () => {
  await server.call('PUT', path(), { as, body: { ...defaults, idle: 1 } })
  expect((await server.call('DELETE', path(), { as })).status).toBe(200)
  expect(await get()).toEqual(defaults)
  expect((await published()).originIdleTimeoutMs).toBe(60_000)
})

test('a value out of range, or a missing field, is reported and changes nothing', async () => {
  const before = await revision()
  const wrong = await server.call('PUT', path(), { as, body: { ...defaults, connect: 0, idle: 3601 } })
  expect([wrong.status, wrong.body.extra]).toEqual([
    400,
    [
      { field: 'connect', reason: 'number' },
      { field: 'idle', reason: 'number' },
    ],
  ])
  const { idle: _, ...few } = defaults
  const missing = await server.call('PUT', path(), { as, body: few })
  expect(missing.body.extra).toEqual([{ field: 'idle', reason: 'required' }])
  expect(await revision()).toBe(before)
})

test('compression is published while it is on; media types are normalised, without duplicates', async () => {
  const gzip = `${of()}/setting/gzip`
  const { data } = (await server.call('GET', gzip, { as })).body
  expect(data).toMatchObject({ enable: true, minLength: 1024, level: 5 })
  expect((await published()).compression).toEqual({ types: data.types, minLength: 1024, level: 5 })
  const body = { enable: true, types: ['Text/HTML', 'application/json'], minLength: 0, level: 9 }
  expect((await server.call('PUT', gzip, { as, body })).status).toBe(200)
  expect((await published()).compression).toEqual({ types: ['text/html', 'application/json'], minLength: 0, level: 9 })
  await server.call('PUT', gzip, { as, body: { ...body, enable: false } })
  expect(await published()).not.toHaveProperty('compression')
  for (const [types, code, field, reason] of [
    [['text/html', 'TEXT/html'], 101025, 'types', 'duplicatedData'],
    [['text'], 101003, 'types.0', 'wrongFormat'],
    [['text/html; charset=utf-8'], 101003, 'types.0', 'wrongFormat'],
    [Array.from({ length: 51 }, (_, i) => `text/x${i}`), 101029, 'types', 'itemsExceedLimit'],
  ] as const) {
    const refused = await server.call('PUT', gzip, { as, body: { ...body, types } })
    expect([refused.body.code, refused.body.extra]).toEqual([code, [{ field, reason }]])
  }
})

test('origin TLS: nodes get what to verify, the authority is checked, and older nodes do not get it', async () => {
  const tls = `${of()}/setting/originTls`
  const none = { verify: 'off', ca: '', pins: [], serverName: '', host: '' }
  expect((await server.call('GET', tls, { as })).body.data).toEqual(none)
  const put = (body: object) => server.call('PUT', tls, { as, body: { ...none, ...body } })
  const authority = await makeAuthority()
  const { certificate: leaf } = await authority.make()
  for (const [body, field, reason] of [
    [{ verify: 'ca' }, 'ca', 'required'],
    [{ verify: 'ca', ca: 'no PEM' }, 'ca', 'badCertificate'],
    [{ verify: 'ca', ca: leaf }, 'ca', 'noAuthority'],
    [{ verify: 'ca', ca: '-----BEGIN PRIVATE KEY-----' }, 'ca', 'keyInCertificate'],
    [{ verify: 'pin' }, 'pins', 'required'],
    [{ verify: 'pin', pins: ['short'] }, 'pins.0', 'wrongFormat'],
    [{ host: 'a b' }, 'host', 'wrongFormat'],
    [{ serverName: 'a\r\nX: y' }, 'serverName', 'wrongFormat'],
  ] as const) {
    const refused = await put(body)
    expect([refused.status, refused.body.code]).toEqual([400, 101003])
    expect(refused.body.extra, JSON.stringify(refused.body)).toContainEqual({ field, reason })
  }
  const pin = `${'A'.repeat(43)}=`
  expect((await put({ verify: 'pin', pins: [pin], serverName: 'origin.test', host: 'inner.test' })).status).toBe(200)
  expect(await published()).toMatchObject({
    originTls: { verify: 'pin', pins: [pin], serverName: 'origin.test' },
    originHost: 'inner.test',
  })
  expect(await required()).toEqual(['originTls'])
  expect((await put({ verify: 'ca', ca: `root\n${authority.root}` })).status).toBe(200)
  expect((await published()).originTls.ca.trim()).toBe(authority.root.trim())
  await server.call('DELETE', tls, { as })
  expect(await required()).toEqual([])
})

test('the client certificate for origins: its key must match, and is never returned', async () => {
  const place = `${of()}/setting/originCertificate`
  const authority = await makeAuthority()
  const [own, other] = [await authority.make(), await authority.make()]
  const put = (body: object) => server.call('PUT', place, { as, body })
  for (const [body, field, reason] of [
    [{ ...own, certificate: 'x' }, 'certificate', 'badCertificate'],
    [{ ...own, certificate: own.privateKey }, 'certificate', 'keyInCertificate'],
    [{ ...own, privateKey: 'x' }, 'privateKey', 'badKey'],
    [{ ...own, privateKey: other.privateKey }, 'privateKey', 'keyMismatch'],
  ] as const)
    expect((await put(body)).body).toMatchObject({ code: 101003, extra: [{ field, reason }] })
  expect((await put({ certificate: own.certificate, privateKey: own.privateKey })).status).toBe(200)
  const shown = await server.call('GET', place, { as })
  expect(shown.body.data).toMatchObject({ isSet: true, version: 1, expired: expect.stringMatching(/Z$/) })
  const seen = JSON.stringify([shown.body, await published()])
  expect(seen).not.toContain('PRIVATE KEY')
  expect((await published()).originCertificate).toContain('BEGIN CERTIFICATE')
  expect(await required()).toEqual(['originTls'])
  const set = await revision()
  await server.call('DELETE', place, { as })
  expect((await server.call('GET', place, { as })).body.data.isSet).toBe(false)
  // Its key was deleted, so a restore cannot bring it back.
  await server.call('POST', `${of()}/history/restore`, { as, body: { revision: set } })
  expect((await server.call('GET', place, { as })).body.data.isSet).toBe(false)
})

/** The features that the newest artefact requires of a node. */
async function required(): Promise<string[]> {
  const { rows } = await server.services.database.pool.query(
    'select r.feature from feed_entries f join artefact_requires r on r.artefact = f.artefact where f.site_id = $1',
    [site],
  )
  return rows.map(({ feature }) => feature)
}
