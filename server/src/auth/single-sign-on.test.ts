import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type IdentityProvider, providerClient, startIdentityProvider } from '../testing/identity-provider.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

const origin = 'http://localhost:8080'
const binding = 'b'.repeat(43)
let server: TestServer
let provider: IdentityProvider
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  provider = await startIdentityProvider(['user', 'client', 'admin'].map((tier) => `${origin}/${tier}/login/sso`))
  operator = await server.signIn('client', 'operator')
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const put = (body: object, as = operator, tier = 'client') => server.call('PUT', `/${tier}/setting/sso`, { as, body })
const settings = (change: object = {}) => ({
  auth: 'user',
  enable: true,
  name: 'Company login',
  issuer: provider.issuer,
  ...providerClient,
  ...change,
})
const offered = async (tier: Tier) => (await server.call('GET', `/${tier}/sso`)).body.data
const begin = async (tier: Tier) => {
  const [{ id }] = await offered(tier)
  return (await server.call('POST', `/${tier}/sso/begin`, { body: { id, binding } })).body.data.url as string
}
const finish = (tier: Tier, answer: string, by = binding) =>
  server.call('POST', `/${tier}/sso/finish`, { body: { binding: by, query: answer } })

/** Goes through the provider's pages as a browser would. Returns the query that it appended to our URL. */
async function visit(url: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = url
  for (let hops = 0; hops < 10; hops += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(next, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [name, value] = line.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    next = new URL(reply.headers.get('location') ?? '', next).href
    if (next.startsWith(origin)) return new URL(next).search.slice(1)
  }
  throw new Error(`the provider never came back: ${next}`)
}
const signInAt = async (tier: Tier) => finish(tier, await visit(await begin(tier)))

beforeEach(async () => {
  await query('delete from sso_providers')
  Object.assign(provider.person, { subject: 'subject-1', email: 'customer@example.com', verified: true })
  await query("update accounts set email = 'customer@example.com' where account = 'customer'")
  expect((await put(settings())).status).toBe(200)
})

describe('signing in at a provider', () => {
  test('admits the account whose e-mail address it verified, and later recognizes the person by subject', async () => {
    const { status, body } = await signInAt('user')
    expect(status).toBe(200)
    const self = (await server.call('GET', '/user/account/self', { as: body.data })).body.data
    expect(self.account).toBe('customer')
    await query("update accounts set email = 'moved@example.com' where account = 'customer'")
    expect((await signInAt('user')).status).toBe(200)
    const { rows } = await query("select detail from audit where action = 'auth.signIn' order by id desc limit 1")
    expect(rows[0].detail).toEqual({ by: 'sso', provider: 'Company login' })
  })

  test('an address that is unverified or unknown is refused and audited', async () => {
    provider.person.verified = false
    expect((await signInAt('user')).body).toMatchObject({ code: 101012, extra: 'unknownPerson' })
    Object.assign(provider.person, { subject: 'subject-2', email: 'nobody@example.com', verified: true })
    expect((await signInAt('user')).body).toMatchObject({ code: 101012, extra: 'unknownPerson' })
    const { rows } = await query(
      "select account_name from audit where action = 'auth.signIn.failed' order by id desc limit 1",
    )
    expect(rows[0].account_name).toBe('nobody@example.com')
  })

  test('an account is created only if the settings allow it, and without any permissions', async () => {
    await put(settings({ auth: 'client', createsAccounts: true }))
    Object.assign(provider.person, { subject: 'subject-3', email: 'new.one@example.com' })
    const { body } = await signInAt('client')
    const self = (await server.call('GET', '/client/account/self', { as: body.data })).body.data
    expect(self).toMatchObject({ account: 'new-one', isRoot: false, permissions: [] })
  })

  test('a response is valid once, for the browser that started the sign-in, and for its console', async () => {
    const answer = await visit(await begin('user'))
    expect((await finish('user', answer, 'x'.repeat(43))).body).toMatchObject({ code: 101012, extra: 'state' })
    expect((await finish('user', answer)).status).toBe(200)
    expect((await finish('user', answer)).body).toMatchObject({ code: 101012, extra: 'state' })
    const late = await visit(await begin('user'))
    await query("update sso_attempts set expires_at = now() - interval '1 second'")
    expect((await finish('user', late)).body.code).toBe(101012)
    const forged = (await visit(await begin('user'))).replace(/code=[^&]+/, 'code=forged')
    expect((await finish('user', forged)).body).toMatchObject({ code: 101012, extra: 'provider' })
  })

  test('a locked account is refused, and a disabled provider is not offered', async () => {
    await signInAt('user')
    await query("update accounts set status = 2 where account = 'customer'")
    expect((await signInAt('user')).body.code).toBe(101008)
    await query("update accounts set status = 1 where account = 'customer'")
    await put(settings({ enable: false }))
    expect(await offered('user')).toEqual([])
  })
})

describe('its settings', () => {
  test('never return the secret, and keep it when it is not sent again', async () => {
    const { clientSecret: _, ...without } = settings()
    expect((await put({ ...without, name: 'Renamed' })).status).toBe(200)
    const { data } = (await server.call('GET', '/client/setting/sso', { as: operator })).body
    expect(data).toEqual([
      expect.objectContaining({ name: 'Renamed', hasSecret: true, redirectURI: `${origin}/user/login/sso` }),
    ])
    expect(JSON.stringify(data)).not.toContain(providerClient.clientSecret)
    const { redirectURI: _url, ...seen } = data[0]
    const late = await put({ ...without, basedOn: { ...seen, name: 'before' } })
    expect([late.status, late.body.extra]).toEqual([409, [{ field: 'basedOn', reason: 'changedMeanwhile' }]])
    expect((await put({ ...without, name: 'Renamed', basedOn: seen })).status).toBe(200)
    const { rows } = await query("select detail::text from audit where action = 'setting.sso.update'")
    expect(JSON.stringify(rows)).not.toContain(providerClient.clientSecret)
    expect((await signInAt('user')).status).toBe(200)
  })

  test('require the secret again when the provider changes, and forget the links of the old one', async () => {
    await signInAt('user')
    const { clientSecret: _, ...without } = settings({ issuer: 'https://other.example.com' })
    expect((await put(without)).body.extra).toEqual([{ field: 'clientSecret', reason: 'giveSecretAgain' }])
    expect((await put(settings({ issuer: 'https://other.example.com' }))).status).toBe(200)
    expect((await query('select * from sso_links')).rows).toEqual([])
  })

  test('an operator sets them for its own two consoles, the vendor for its one', async () => {
    const vendor = await server.signIn('admin', 'vendor')
    expect((await put(settings({ auth: 'admin' }))).body.code).toBe(101018)
    expect((await put(settings({ auth: 'user' }), vendor, 'admin')).body.code).toBe(101018)
    expect((await put(settings({ auth: 'admin' }), vendor, 'admin')).status).toBe(200)
    const { data } = (await server.call('GET', '/client/setting/sso', { as: operator })).body
    expect(data.map(({ auth }: { auth: string }) => auth)).toEqual(['user'])
  })

  test.each([
    ['issuer', 'http://example.com', 'wrongFormat'],
    ['issuer', 'not an address', 'wrongFormat'],
    ['issuer', 'https://user:pass@example.com', 'wrongFormat'],
    ['issuer', '', 'required'],
    ['name', ' ', 'required'],
    ['clientID', '', 'required'],
    ['auth', 'moon', 'required'],
  ])('%s %j is rejected at its field', async (field, value, reason) => {
    const { status, body } = await put(settings({ [field]: value }))
    expect([status, body.extra]).toEqual([400, [{ field, reason }]])
  })

  test('the test reports what the provider returned, and goes through the outbound guard', async () => {
    const ask = async (issuer: string) =>
      (await server.call('POST', '/client/setting/sso/test', { as: operator, body: { issuer, clientID: 'x' } })).body
        .data
    expect(await ask(provider.issuer)).toEqual({ ok: true, detail: '' })
    expect(await ask(`${provider.issuer}/nothing-here`)).toMatchObject({ ok: false })
    const private_ = await ask('https://10.0.0.1')
    expect(private_.ok).toBe(false)
    expect(private_.detail).toContain('no public address')
  })
})
