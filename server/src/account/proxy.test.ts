import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
let customerId: number
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.signIn('client', 'operator')
  customerId = (await query("select id from accounts where account = 'customer'")).rows[0].id
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const allow = (as: TokenSet, tier: string, body: object) =>
  server.call('POST', `/${tier}/proxy`, { as, body: { reason: 'asked to', ...body } })
const enter = (tier: string, code: string) => server.call('POST', `/${tier}/switchUser`, { body: { code } })
/** Makes both calls. Returns the first one's response if that was refused. */
const proxy = async (as: TokenSet, tier: string, body: { auth: string; id: number; reason?: string }) => {
  const allowed = await allow(as, tier, body)
  return allowed.status === 200 ? enter(body.auth, allowed.body.data.code) : allowed
}
const self = (as: TokenSet) => server.call('GET', '/user/account/self', { as })
const actAsCustomer = async () =>
  (await proxy(operator, 'client', { auth: 'user', id: customerId, reason: 'ticket 7' })).body.data as TokenSet

describe('acting on behalf of another account', () => {
  test('creates a session as that account, naming who acts; both tenants see it in their audit log', async () => {
    const acting = await actAsCustomer()
    const { data } = (await self(acting)).body
    expect(data).toMatchObject({
      account: 'customer',
      auth: 'user',
      proxiedBy: { account: 'operator', auth: 'client', reason: 'ticket 7' },
    })
    await server.call('POST', '/user/roles', { as: acting, body: { name: 'by a deputy', permissions: [] } })
    const customer = await server.signIn('user', 'customer')
    const entries = (await server.call('POST', '/user/auditLogs', { as: customer, body: { proxyName: 'operator' } }))
      .body
    expect(entries.data.map(({ action }: { action: string }) => action)).toEqual(['role.create', 'auth.proxied'])
    expect(entries.data[1].detail).toEqual({ reason: 'ticket 7' })
    const theirs = (await server.call('POST', '/client/auditLogs', { as: operator, body: { action: 'auth.proxy' } }))
      .body
    expect(theirs.data.find(({ action }: { action: string }) => action === 'auth.proxy').detail).toMatchObject({
      account: 'customer',
      reason: 'ticket 7',
    })
  })

  test('ends after half an hour even if refreshed, and does not affect other sessions', async () => {
    const acting = await actAsCustomer()
    const refreshed = (await server.call('PATCH', '/user', { body: pairOf(acting) })).body.data
    expect((await self(refreshed)).status).toBe(200)
    await query(
      "update sessions set expires_at = expires_at - interval '30 minutes' where actor_account_id is not null",
    )
    expect((await self(refreshed)).body.code).toBe(101014)
    expect((await server.call('PATCH', '/user', { body: pairOf(refreshed) })).body.code).toBe(101016)
    const next = await actAsCustomer()
    expect((await server.call('DELETE', '/user', { body: pairOf(next) })).status).toBe(200)
    expect((await server.call('GET', '/client/account/self', { as: operator })).status).toBe(200)
  })

  test('cannot use what belongs to the person alone, and cannot be passed on', async () => {
    const as = await actAsCustomer()
    const password = { oldPassword: 'x', password: 'stolen-pass-1', confirmPassword: 'stolen-pass-1' }
    const tries = [
      await server.call('PATCH', '/user/password', { as, body: password }),
      await server.call('POST', '/apiToken', { as, body: { name: 'left behind' } }),
      await server.call('PUT', '/user/account/self', { as, body: { email: 'mine@example.com' } }),
      await server.call('DELETE', '/user/sessions', { as, body: { ids: [1] } }),
      await proxy(as, 'user', { auth: 'user', id: 1 }),
    ]
    expect(tries.map(({ body }) => [body.code, body.extra])).toEqual(Array(5).fill([101018, 'actingForAnother']))
  })

  test('works only downward, never for a peer, and never for a locked account', async () => {
    const customer = await server.signIn('user', 'customer')
    const vendor = await server.signIn('admin', 'vendor')
    const { rows } = await query("select id, account from accounts where account in ('operator', 'vendor')")
    const idOf = (account: string) => rows.find((row) => row.account === account).id
    await server.makeCustomer('stranger')
    const strangerId = (await query("select id from accounts where account = 'stranger'")).rows[0].id
    const refused = [
      await proxy(customer, 'user', { auth: 'client', id: idOf('operator') }),
      await proxy(customer, 'user', { auth: 'user', id: strangerId }),
      await proxy(customer, 'user', { auth: 'user', id: customerId }),
      await proxy(operator, 'client', { auth: 'admin', id: idOf('vendor') }),
      await proxy(vendor, 'admin', { auth: 'user', id: customerId }),
    ]
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill(101018))
    expect((await proxy(vendor, 'admin', { auth: 'client', id: idOf('operator') })).status).toBe(200)
    await query('update accounts set status = 2 where id = $1', [strangerId])
    expect((await proxy(operator, 'client', { auth: 'user', id: strangerId })).body.code).toBe(101008)
  })

  test('ends when the acting person loses the permission or changes their password', async () => {
    const shop = await makePerson(server, 'shop', { console: 'client', as: operator, auth: 'user' })
    const root = await signInPerson(server, 'user', 'shop')
    expect(shop).toBeGreaterThan(0)
    const boss = await makePerson(server, 'boss', {
      console: 'user',
      as: root,
      permissions: ['accounts.write', 'sites.read'],
    })
    const as = await signInPerson(server, 'user', 'boss')
    const clerk = await makePerson(server, 'clerk', { console: 'user', as: root, permissions: ['sites.read'] })
    await query('update accounts set parent_id = $1 where id = $2', [boss, clerk])
    const acting = (await proxy(as, 'user', { auth: 'user', id: clerk })).body.data
    expect((await self(acting)).status).toBe(200)
    await query("update roles set permissions = '{sites.read}' where name = 'role of boss'")
    expect((await self(acting)).body.code).toBe(101013)
  })
})

describe('the code that opens such a session', () => {
  const allowed = async () =>
    (await allow(operator, 'client', { auth: 'user', id: customerId })).body.data.code as string

  test('works once, in its console only, for one minute', async () => {
    const code = await allowed()
    expect((await enter('client', code)).body.code).toBe(101012)
    const second = await allowed()
    const [one, two] = await Promise.all([enter('user', second), enter('user', second)])
    expect([one.status, two.status].sort()).toEqual([200, 401])
    const late = await allowed()
    await query("update one_pass_keys set expires_at = expires_at - interval '60 seconds' where purpose = 'switchUser'")
    expect((await enter('user', late)).body.code).toBe(101012)
    expect((await enter('user', 'guessed')).body.code).toBe(101012)
  })

  test('is refused once the account is locked, and is only issued with a reason', async () => {
    const code = await allowed()
    await query('update accounts set status = 2 where id = $1', [customerId])
    expect((await enter('user', code)).body.code).toBe(101012)
    await query('update accounts set status = 1 where id = $1', [customerId])
    expect((await allow(operator, 'client', { auth: 'user', id: customerId, reason: ' ' })).body.extra).toEqual([
      { field: 'reason', reason: 'required' },
    ])
  })

  test('is not available in the vendor’s console', async () => {
    expect((await enter('admin', 'whatever')).body.code).toBe(101004)
  })
})

describe('the sessions of one’s own account', () => {
  test('are listed with device and address, and each can be ended', async () => {
    await server.makeCustomer('roaming')
    const [here, there] = [await server.signIn('user', 'roaming'), await server.signIn('user', 'roaming')]
    const { data, total } = (await server.call('GET', '/user/sessions', { as: here })).body
    expect(total).toBe(2)
    expect(data.filter(({ current }: { current: boolean }) => current)).toHaveLength(1)
    expect(data[0]).toMatchObject({
      address: expect.stringMatching(/^10\./),
      userAgent: 'lightMyRequest',
      proxiedBy: null,
    })
    const other = data.find(({ current }: { current: boolean }) => !current).id
    const end = () => server.call('DELETE', '/user/sessions', { as: here, body: { ids: [other] } })
    expect((await end()).status).toBe(200)
    expect((await self(there)).body.code).toBe(101013)
    expect((await self(here)).status).toBe(200)
    // Ending a session that is already over succeeds; another account's session is left alone.
    expect((await end()).status).toBe(200)
    const customer = await server.signIn('user', 'customer')
    const mine = (await server.call('GET', '/user/sessions', { as: customer })).body.data[0].id
    const theirs = await server.call('DELETE', '/user/sessions', { as: here, body: { ids: [mine] } })
    expect(theirs.status).toBe(200)
    expect((await self(customer)).status).toBe(200)
  })

  test('ask for the password again before sensitive actions, and count wrong passwords', async () => {
    await server.makeCustomer('careful')
    const as = await server.signIn('user', 'careful')
    const verify = (password: string) => server.call('POST', '/user/verify', { as, body: { password } })
    expect((await verify('correct-horse-7')).body.data).toEqual({ valid: true })
    for (let i = 0; i < 5; i += 1) expect((await verify('wrong-pass-1')).body.code).toBe(101012)
    expect((await verify('correct-horse-7')).body.code).toBe(101012)
  })
})

const pairOf = ({ accessToken, refreshToken }: TokenSet) => ({ accessToken, refreshToken })
