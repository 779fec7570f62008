/** Edge authentication through its API: secrets of groups are write-only, and rules can only name what the site has. */
import { createHash, generateKeyPairSync, type KeyObject, scryptSync } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AuthGroupSecrets } from '@breakwater/contract/edge/auth-rules.ts'
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { openShops, type Shop, type Shops } from '../modules/testing/shops.ts'
import { readSiteSecret } from '../secrets/store.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { refreshJwks } from './refresh-jwks.ts'

let server: TestServer
let as: TokenSet
let shops: Shops
let shop: Shop
let of: string
let [staff, robots] = [0, 0]
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  shops = openShops(server, as)
  shop = await shops.make('members')
  of = `${shop.of}/auth`
  staff = (await shops.must('POST', `${of}/group`, { name: 'Staff', type: 'basic', memo: 'people' })).id
  robots = (await shops.must('POST', `${of}/group`, { name: '機器', type: 'key', keyIn: 'query', keyName: 'k' })).id
})
afterAll(() => server.stop())

const refusal = async (method: string, path: string, body: object) => {
  const reply = await shops.call(method, path, body)
  return [reply.body.code, reply.body.extra?.[0]?.field]
}
/** The secrets of a group that a node receives. */
async function told(group: number): Promise<AuthGroupSecrets> {
  const { artefact } = await shops.published(shop.site, 'authRules')
  const ref = artefact.secrets.authGroups?.find((one) => one.startsWith(`authGroup-${group}@`)) ?? ''
  if (ref === '') return {}
  const { database, vault } = server.services
  const [name = '', version] = ref.split('@')
  const value = await withSystem(database.db, (db) => readSiteSecret(db, vault, shop.site, name, Number(version)))
  return value ? JSON.parse(value.toString()) : {}
}
const isOf = (secret: AuthGroupSecrets[string] | undefined, password: string) => {
  if (!secret || !('salt' in secret)) return false
  const { n, r, p, bytes } = passwordCost
  const hash = scryptSync(password, Buffer.from(secret.salt, 'base64'), bytes, { N: n, r, p })
  return hash.toString('base64') === secret.hash
}

test('a rule requires its group on the domains it names, in rule order, and nodes get hashes only', async () => {
  expect(await shops.must('GET', `${of}/settingExists`)).toEqual({ exists: false })
  const entries = `${of}/group/${staff}`
  const { id: alice } = await shops.must('POST', `${entries}/basicAuth`, {
    username: 'alice',
    password: 'first pass word',
  })
  const { id: bob } = await shops.must('POST', `${entries}/basicAuth`, { username: 'bob', password: 'second password' })
  const { id: robot } = await shops.must('POST', `${of}/group/${robots}/keyAuth`, { key: 'robot-key-of-one-shop' })
  const { id: first } = await shops.must('POST', `${of}/rule`, {
    ...{ domainIDs: [shop.domain], urlRegex: '^/staff/', type: 'basic', groupID: staff },
  })
  const { id: second } = await shops.must('POST', `${of}/rule`, {
    ...{ urlRegex: '^/api/', type: 'key', groupID: robots, forward: true, priority: 1 },
  })
  const { part, requires, artefact } = await shops.published(shop.site, 'authRules')
  expect(requires).toContain('authRules')
  expect(artefact.secrets.authGroups).toEqual([`authGroup-${staff}@2`, `authGroup-${robots}@1`].sort())
  expect(part.rules).toEqual([
    {
      ...{
        id: second,
        mode: 'enforce',
        urlRegex: '^/api/',
        type: 'key',
        group: `authGroup-${robots}@1`,
        forward: true,
      },
      ...{ realm: `group ${robots}`, place: { in: 'query', name: 'k' } },
    },
    {
      ...{ id: first, mode: 'enforce', urlRegex: '^/staff/', type: 'basic', group: `authGroup-${staff}@2` },
      ...{ forward: false, realm: 'Staff' },
    },
  ])
  let accepted = await told(staff)
  expect([isOf(accepted[alice], 'first pass word'), isOf(accepted[bob], 'second password')]).toEqual([true, true])
  const hash = createHash('sha256').update('robot-key-of-one-shop').digest('base64')
  expect(await told(robots)).toEqual({ [robot]: { hash } })
  expect(await shops.must('GET', `${of}/settingExists`)).toEqual({ exists: true })

  // A new name without a password keeps the password. A disabled entry is sent as disabled and keeps its secret.
  await shops.must('PUT', `${entries}/basicAuth`, { id: alice, username: 'alicia', memo: 'was alice' })
  await shops.must('PUT', `${entries}/basicAuths`, { ids: [bob], enabled: false })
  accepted = await told(staff)
  expect(accepted[alice]).toMatchObject({ name: 'alicia' })
  expect(isOf(accepted[alice], 'first pass word')).toBe(true)
  expect(accepted[bob]).toMatchObject({ name: 'bob', off: true })
  await shops.must('PUT', `${entries}/basicAuth`, { id: alice, username: 'alicia', password: 'a newer password' })
  await shops.must('DELETE', `${entries}/basicAuths`, { ids: [bob] })
  accepted = await told(staff)
  expect(Object.keys(accepted)).toEqual([String(alice)])
  expect(isOf(accepted[alice], 'a newer password')).toBe(true)

  const rows = await shops.must('GET', `${entries}/basicAuths`)
  expect(rows).toMatchObject([{ id: alice, username: 'alicia', enabled: true }])
  expect(rows[0]).not.toHaveProperty('password')
  expect(await shops.must('GET', `${of}/group/${robots}/keyAuths`)).toMatchObject([{ key: 'robo••••' }])
  await shops.must('PUT', `${of}/group/${robots}/keyAuth`, { id: robot, memo: 'kept' })
  expect(await told(robots)).toEqual({ [robot]: { hash } })
  expect(await shops.must('GET', `${of}/group/${robots}/keyAuths`)).toMatchObject([{ key: 'robo••••', memo: 'kept' }])
  const groups = await shops.must('GET', `${of}/groups`)
  expect(groups).toMatchObject([
    { id: staff, name: 'Staff', type: 'basic', memo: 'people', count: 1 },
    { id: robots, type: 'key', keyIn: 'query', keyName: 'k', count: 1 },
  ])
  expect(await shops.must('GET', `${of}/metaGroups?type=key`)).toEqual([{ id: robots, name: '機器', type: 'key' }])
})

test('a token key is stored in the form that nodes verify with, and must match its algorithm', async () => {
  const { id } = await shops.must('POST', `${of}/group`, { name: 'Tokens', type: 'jwt' })
  const rule = { urlRegex: '^/t/', type: 'jwt', groupID: id }
  const added = await shops.must('POST', `${of}/rule`, rule)
  const keys = `${of}/group/${id}`
  const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const add = (body: object) => refusal('POST', `${keys}/jwtAuth`, body)
  expect(await add({ key: 'a', algorithm: 'HS256', secret: 'too short for it' })).toEqual([101003, 'secret'])
  expect(await add({ key: 'a', algorithm: 'none', secret: 'x' })).toEqual([101003, 'algorithm'])
  expect(await add({ key: 'a', algorithm: 'RS256', secret: pem(ec.publicKey) })).toEqual([101003, 'secret'])
  expect(await add({ key: 'a', algorithm: 'RS256', secret: pem(weak.publicKey) })).toEqual([101003, 'secret'])
  expect(await add({ key: 'a', algorithm: 'HS256', secret: pem(ec.publicKey) })).toEqual([101003, 'secret'])
  const own = ec.privateKey.export({ type: 'pkcs8', format: 'pem' })
  expect(await add({ key: 'a', algorithm: 'ES256', secret: own })).toEqual([101003, 'secret'])
  const { id: key } = await shops.must('POST', `${keys}/jwtAuth`, {
    ...{ key: 'a', algorithm: 'ES256', secret: pem(ec.publicKey), issuer: 'https://id.test' },
  })
  expect((await add({ key: 'a', algorithm: 'HS256', secret: 'a shared secret of 32 bytes or more' }))[0]).toBe(101025)
  const der = ec.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  const kept = { algorithm: 'ES256', key: der }
  expect(await told(id)).toEqual({ [key]: { ...kept, kid: 'a', issuer: 'https://id.test', audience: '' } })
  await shops.must('PUT', `${keys}/jwtAuth`, { id: key, key: 'b', algorithm: 'ES256', audience: 'shop' })
  expect(await told(id)).toEqual({ [key]: { ...kept, kid: 'b', issuer: '', audience: 'shop' } })
  const changed = { id: key, key: 'b', algorithm: 'HS256' }
  expect(await refusal('PUT', `${keys}/jwtAuth`, changed)).toEqual([101003, 'secret'])
  const [row] = await shops.must('GET', `${keys}/jwtAuths`)
  expect(row).toMatchObject({ key: 'b', algorithm: 'ES256', audience: 'shop' })
  expect(row).not.toHaveProperty('secret')
  await shops.must('DELETE', `${of}/rules`, { ids: [added.id] })
  await shops.must('DELETE', `${of}/groups`, { ids: [id] })
})

test('no password or key is stored in documents, history or the audit log', async () => {
  const { rows } = await server.services.database.pool.query(`
    select string_agg(t, ' ') as all from (
      select body::text as t from rules union all select body::text from auth_groups union all
      select detail::text from audit union all select convert_from(bytes, 'UTF8') from objects
        where substring(bytes from 1 for 1) = '{') x`)
  expect(rows[0].all).toContain('robo••••')
  expect(rows[0].all).not.toMatch(/first pass|second pass|newer pass|robot-key/)
})

test('invalid values are rejected at their field, and a group that a rule names cannot be removed', async () => {
  const rule = { urlRegex: '^/', type: 'basic', groupID: staff }
  expect(await refusal('DELETE', `${of}/groups`, { ids: [staff] })).toEqual([701001, undefined])
  expect(await refusal('POST', `${of}/rule`, { ...rule, groupID: 999_999 })).toEqual([101018, 'groupID'])
  expect(await refusal('POST', `${of}/rule`, { ...rule, type: 'key' })).toEqual([101003, 'type'])
  expect(await refusal('POST', `${of}/rule`, { ...rule, domainIDs: [999_999] })).toEqual([101018, 'domainIDs'])
  const add = (body: object) => refusal('POST', `${of}/group/${staff}/basicAuth`, body)
  expect(await add({ username: 'a:b', password: 'long enough' })).toEqual([101003, 'username'])
  expect(await add({ username: 'carol', password: 'short' })).toEqual([101003, 'password'])
  expect(await add({ username: 'carol' })).toEqual([101003, 'password'])
  expect((await add({ username: 'alicia', password: 'long enough' }))[0]).toBe(101025)
  expect((await refusal('POST', `${of}/group/${staff}/keyAuth`, { key: 'robot-key-of-one-shop' }))[0]).toBe(101018)
  expect(await refusal('POST', `${of}/group/${robots}/keyAuth`, { key: 'too-short' })).toEqual([101003, 'key'])
  expect(await refusal('POST', `${of}/group`, { name: 'x', type: 'key', keyName: 'Host' })).toEqual([101003, 'keyName'])
  const other = await shops.make('strangers')
  expect((await refusal('POST', `${other.of}/auth/rule`, rule))[0]).toBe(101018)
  expect(
    (await refusal('POST', `${other.of}/auth/group/${staff}/basicAuth`, { username: 'x', password: 'long enough' }))[0],
  ).toBe(101018)
})

test('a restore brings back rules, and leaves the secrets of groups as they are now', async () => {
  const [{ revision }] = await shops.must('GET', `${shop.of}/history`)
  const before = await told(staff)
  const rules = await shops.must('GET', `${of}/rules`)
  await shops.must('DELETE', `${of}/rules`, { ids: rules.map(({ id }: { id: number }) => id) })
  expect(await told(staff)).toEqual({})
  await shops.must('POST', `${shop.of}/history/restore`, { revision })
  expect(await told(staff)).toEqual(before)
  const ids = rules.map(({ id }: { id: number }) => id)
  await shops.must('DELETE', `${of}/rules`, { ids })
  await shops.must('DELETE', `${of}/groups`, { ids: [staff, robots] })
  // Their group was removed: a restore fails rather than bring back rules that nobody could pass.
  const reply = await shops.call('POST', `${shop.of}/history/restore`, { revision })
  expect([reply.body.code, reply.body.extra?.[0]?.field]).toEqual([101018, 'groupID'])
})

test('keys of a JWKS reach nodes beside a group’s own, are updated, and stay if the fetch fails', async () => {
  const { id } = await shops.must('POST', `${of}/group`, { name: 'Identity', type: 'jwt' })
  await shops.must('POST', `${of}/rule`, { urlRegex: '^/id/', type: 'jwt', groupID: id })
  const path = `${of}/group/${id}/jwks`
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const [ec, ed] = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ed25519')]
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const jwk = (key: KeyObject, more: object) => ({ ...key.export({ format: 'jwk' }), ...more })
  const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' }).toString('base64')
  const url = 'https://id.test/jwks.json'
  const said = { issuer: 'https://id.test', audience: '', claims: ['role=admin'] }
  await shops.must('PUT', path, { url, ...said })
  expect(await shops.must('GET', path)).toMatchObject({ url, ...said, found: [], triedAt: null, problem: '' })
  let answer = JSON.stringify({
    keys: [
      jwk(rsa.publicKey, { kid: 'r', use: 'sig', alg: 'PS256' }),
      jwk(rsa.publicKey, { kid: 'r', alg: 'RS256' }),
      // A private key does not belong in a JWKS: only its public part is used.
      jwk(ec.privateKey, { kid: 'e' }),
      jwk(ed.publicKey, { kid: 'd' }),
      jwk(weak.publicKey, { kid: 'weak' }),
      jwk(ec.publicKey, { kid: 'other', use: 'enc' }),
      { kty: 'oct', k: 'c2VjcmV0', kid: 's', alg: 'HS256' },
      { kty: 'RSA', n: '!', e: 'AQAB', kid: 'broken' },
    ],
  })
  const asked: string[] = []
  const due = () =>
    withSystem(server.services.database.db, (db) =>
      db
        .updateTable('authJwks')
        .set({ dueAt: new Date(0) })
        .execute(),
    )
  const refresh = async () => {
    await due()
    await refreshJwks(server.services, async (at) => {
      asked.push(at)
      return answer
    })
  }
  await refresh()
  expect(asked).toEqual([url])
  const key = { issuer: said.issuer, audience: '', claims: { role: 'admin' } }
  const ofRsa = { ...key, kid: 'r', algorithm: 'PS256', key: spki(rsa.publicKey) }
  expect(await told(id)).toEqual({
    'jwks-1': ofRsa,
    'jwks-2': { ...key, kid: 'e', algorithm: 'ES256', key: spki(ec.publicKey) },
    'jwks-3': { ...key, kid: 'd', algorithm: 'EdDSA', key: spki(ed.publicKey) },
  })
  expect((await shops.published(shop.site, 'authRules')).requires).toContain('tokenClaims')
  const { found, fetchedAt } = await shops.must('GET', path)
  expect(found.map(({ kid }: { kid: string }) => kid)).toEqual(['r', 'e', 'd'])
  // The same keys create no revision, different ones do; a key of the group's own wins over a JWKS key with the same
  // id.
  const { revision } = await shops.must('GET', shop.of)
  await refresh()
  expect((await shops.must('GET', shop.of)).revision).toBe(revision)
  const own = { key: 'd', algorithm: 'HS256', secret: 'a shared secret of 32 bytes or more', claims: ['a=b=c'] }
  const { id: entry } = await shops.must('POST', `${of}/group/${id}/jwtAuth`, own)
  answer = JSON.stringify({ keys: [jwk(rsa.publicKey, { kid: 'r', alg: 'PS256' }), jwk(ed.publicKey, { kid: 'd' })] })
  await refresh()
  expect(await told(id)).toMatchObject({
    [entry]: { kid: 'd', algorithm: 'HS256', claims: { a: 'b=c' } },
    'jwks-1': ofRsa,
  })
  expect(Object.keys(await told(id))).toHaveLength(2)
  // A response that is not a usable JWKS removes nothing, and is reported.
  for (const [text, problem] of [
    ['<html>', 'notJwks'],
    ['{"keys":[]}', 'noKeys'],
  ] as const) {
    answer = text
    await refresh()
    expect(await shops.must('GET', path)).toMatchObject({
      problem,
      fetchedAt: expect.not.stringMatching(`^${fetchedAt}$`),
    })
  }
  await due()
  // Not a public address: the outbound guard refuses to connect.
  await shops.must('PUT', path, { url: 'https://127.0.0.1/keys', ...said })
  expect(Object.keys(await told(id))).toEqual([String(entry)])
  await refreshJwks(server.services)
  expect(await shops.must('GET', path)).toMatchObject({ problem: 'unreachable', found: [] })
  // Pasted keys need no fetch.
  await shops.must('PUT', path, { keys: JSON.stringify({ keys: [jwk(ec.publicKey, { kid: 'e' })] }), claims: [] })
  expect((await told(id))['jwks-1']).toEqual({
    kid: 'e',
    algorithm: 'ES256',
    key: spki(ec.publicKey),
    issuer: '',
    audience: '',
  })
  const wrong = [
    { url: 'http://id.test/keys' },
    { url: 'https://user:pass@id.test/' },
    { url, keys: '{}' },
    { keys: 'x' },
    { keys: '{"keys":[]}' },
    { url, claims: ['role'] },
    { url, claims: ['a=1', 'a=2'] },
  ]
  for (const body of wrong) expect((await shops.call('PUT', path, body)).status).toBeGreaterThanOrEqual(400)
  expect((await shops.call('PUT', `${of}/group/${staff}/jwks`, { url })).status).toBe(404)
  await shops.must('PUT', path, {})
  expect(await told(id)).toMatchObject({ [entry]: { kid: 'd' } })
  const rules = (await shops.must('GET', `${of}/rules`)).filter(({ groupID }: { groupID: number }) => groupID === id)
  await shops.must('DELETE', `${of}/rules`, { ids: rules.map((rule: { id: number }) => rule.id) })
  await shops.must('DELETE', `${of}/groups`, { ids: [id] })
})

test('a file of names and hashes is imported completely or not at all; its passwords stay until changed', async () => {
  const { id } = await shops.must('POST', `${of}/group`, { name: 'Imported', type: 'basic' })
  const { id: rule } = await shops.must('POST', `${of}/rule`, { urlRegex: '^/imported/', type: 'basic', groupID: id })
  const path = `${of}/group/${id}/basicAuths`
  const bcrypt = `$2y$05$${'a'.repeat(53)}`
  const sha = `$6$rounds=5000$salt$${'b'.repeat(86)}`
  const yescrypt = `$y$j9T$salt$${'c'.repeat(43)}`
  await shops.must('POST', `${of}/group/${id}/basicAuth`, { username: 'alice', password: 'first pass word' })
  expect((await shops.published(shop.site, 'authRules')).requires).not.toContain('importedPasswords')
  const text = `# staff\r\nalice:${bcrypt}\r\n\nbob smith:${sha}\nzoë:${yescrypt}\n`
  expect(await shops.must('POST', `${path}/import`, { lines: text.split('\n') })).toEqual({ added: 2, changed: 1 })
  const rows: { id: number; username: string }[] = await shops.must('GET', path)
  expect(rows.map(({ username }) => username).sort()).toEqual(['alice', 'bob smith', 'zoë'])
  expect(Object.values(await told(id))).toEqual(
    expect.arrayContaining([
      { name: 'alice', crypt: bcrypt },
      { name: 'bob smith', crypt: sha },
      { name: 'zoë', crypt: yescrypt },
    ]),
  )
  expect((await shops.published(shop.site, 'authRules')).requires).toContain('importedPasswords')
  const { revision } = await shops.must('GET', shop.of)
  const wrong: [string, string, string][] = [
    [`x:${bcrypt}\ny:$apr1$salt$xxxxxxxxxxxxxxxxxxxxxx`, 'lines.1', 'unknownPasswordHash'],
    ['x:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=', 'lines.0', 'unknownPasswordHash'],
    [`x:$2y$13$${'a'.repeat(53)}`, 'lines.0', 'unknownPasswordHash'],
    [`x:$6$rounds=999999$salt$${'b'.repeat(86)}`, 'lines.0', 'unknownPasswordHash'],
    ['x:plain', 'lines.0', 'unknownPasswordHash'],
    [`:${bcrypt}`, 'lines.0', 'wrongFormat'],
    ['no colon', 'lines.0', 'wrongFormat'],
    [`x:${bcrypt}\nx:${sha}`, 'lines.1', 'duplicatedData'],
    ['# nobody', 'lines', 'required'],
  ]
  for (const [file, field, reason] of wrong)
    expect((await shops.call('POST', `${path}/import`, { lines: file.split('\n') })).body.extra).toEqual([
      { field, reason },
    ])
  expect((await shops.must('GET', shop.of)).revision).toBe(revision)
  expect(
    (await shops.call('POST', `${of}/group/${robots}/basicAuths/import`, { lines: text.split('\n') })).status,
  ).toBe(404)
  for (const { id: entry, username } of rows)
    await shops.must('PUT', `${of}/group/${id}/basicAuth`, { id: entry, username, password: 'another pass word' })
  expect((await shops.published(shop.site, 'authRules')).requires).not.toContain('importedPasswords')
  await shops.must('DELETE', `${of}/rules`, { ids: [rule] })
  await shops.must('DELETE', `${of}/groups`, { ids: [id] })
})
