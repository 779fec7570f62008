import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let operator: TokenSet
let vendor: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  operator = await server.signIn('client', 'operator')
  vendor = await server.signIn('admin', 'vendor')
})
afterAll(() => server.stop())

const list = async (as: TokenSet, tier: string, query = '') =>
  (await server.call('GET', `/${tier}/accounts${query}`, { as })).body
const names = (body: { data: { account: string }[] }) => body.data.map(({ account }) => account).sort()
const put = (as: TokenSet, tier: string, body: object) => server.call('PUT', `/${tier}/account`, { as, body })

describe('creating accounts', () => {
  test('an operator creates a customer: its own tenant, whose root account creates sub-accounts in it', async () => {
    await makePerson(server, 'shop', { console: 'client', as: operator, auth: 'user' })
    const shop = await signInPerson(server, 'user', 'shop')
    expect((await server.call('GET', '/user/account/self', { as: shop })).body.data.isRoot).toBe(true)
    await makePerson(server, 'shop-clerk', { console: 'user', as: shop, permissions: ['sites.read'] })
    expect(names(await list(shop, 'user'))).toEqual(['shop-clerk'])
    expect(names(await list(customer, 'user'))).not.toContain('shop-clerk')
    expect(names(await list(operator, 'client', '?auth=user&pageSize=100'))).toContain('shop-clerk')
    const clerk = await signInPerson(server, 'user', 'shop-clerk')
    const own = (await server.call('GET', '/user/account/permissions', { as: clerk })).body.data
    expect(own).toEqual([{ key: 'sites.read' }])
  })

  test('the vendor creates operators, and customers of the operator it names', async () => {
    const id = await makePerson(server, 'second-operator', { console: 'admin', as: vendor, auth: 'client' })
    const body = { auth: 'user', name: 'n', account: 'theirs', email: 'theirs@example.com' }
    const unnamed = (await server.call('POST', '/admin/account', { as: vendor, body })).body
    expect(unnamed.extra).toEqual([{ field: 'clientID', reason: 'required' }])
    const made = await server.call('POST', '/admin/account', { as: vendor, body: { ...body, clientID: id } })
    expect(made.status).toBe(200)
    expect(names(await list(vendor, 'admin', `?auth=user&clientID=${id}`))).toEqual(['theirs'])
    const second = await signInPerson(server, 'client', 'second-operator')
    expect(names(await list(second, 'client'))).toEqual(['theirs'])
    expect(names(await list(operator, 'client', '?pageSize=100'))).not.toContain('theirs')
  })

  test('no console creates an account of a higher tier', async () => {
    const body = { auth: 'client', name: 'n', account: 'above', email: 'above@example.com' }
    const { body: refusal } = await server.call('POST', '/user/account', { as: customer, body })
    expect([refusal.code, refusal.extra[0].field]).toEqual([101018, 'auth'])
  })

  test('an e-mail address or account name that is already taken is reported at its field', async () => {
    await makePerson(server, 'first', { console: 'user', as: customer })
    const body = { auth: 'user', name: 'n', account: 'second', email: 'FIRST@example.com' }
    const mail = (await server.call('POST', '/user/account', { as: customer, body })).body
    expect([mail.code, mail.extra[0].field]).toEqual([101017, 'email'])
    const other = { ...body, account: 'First', email: 'second@example.com' }
    const name = (await server.call('POST', '/user/account', { as: customer, body: other })).body
    expect([name.code, name.extra[0].field]).toEqual([101025, 'account'])
    const wrong = { ...body, account: 'with space', email: 'nothing' }
    expect((await server.call('POST', '/user/account', { as: customer, body: wrong })).body.extra).toEqual([
      { field: 'email', reason: 'emailError' },
      { field: 'account', reason: 'wrongFormat' },
    ])
  })
})

describe('a list', () => {
  test('is paged, sorted and searchable, and includes the status name', async () => {
    for (const account of ['page-a', 'page-b', 'page-c'])
      await makePerson(server, account, { console: 'user', as: customer })
    const page = await list(customer, 'user', '?name=PAGE-&sortBy=account&orderBy=asc&page=2&pageSize=2')
    expect([names(page), page.total]).toEqual([['page-c'], 3])
    expect(page.data[0]).toMatchObject({ status: 1, statusName: 'normal', invited: false, auth: 'user', roles: [] })
    expect((await list(customer, 'user', '?sortBy=passwordHash')).code).toBe(101003)
    expect((await list(customer, 'user', `?name=${encodeURIComponent("%'_\\")}`)).total).toBe(0)
  })
})

describe('updating accounts', () => {
  test('any status other than normal ends the sessions and blocks sign-in', async () => {
    const id = await makePerson(server, 'paused', { console: 'user', as: customer })
    const paused = await signInPerson(server, 'user', 'paused')
    for (const [status, statusName] of [
      [0, 'pause'],
      [2, 'lock'],
      [3, 'expired'],
    ] as const) {
      expect((await put(customer, 'user', { auth: 'user', id, status })).status).toBe(200)
      expect((await list(customer, 'user', '?name=paused')).data[0]).toMatchObject({ status, statusName })
    }
    expect((await server.call('GET', '/user/account/self', { as: paused })).body.code).toBe(101013)
    const entry = { account: 'paused', password: 'set-by-parent-1' }
    expect((await server.call('POST', '/user/code', { body: entry })).body.code).toBe(101008)
    await put(customer, 'user', { auth: 'user', id, status: 1 })
    await expect(signInPerson(server, 'user', 'paused')).resolves.toBeTruthy()
  })

  test('an account of another tenant, of another kind, of a higher tier, or one’s own is not found', async () => {
    const { rows } = await server.services.database.pool.query('select id, account, tier from accounts')
    const idOf = (account: string) => rows.find((row) => row.account === account).id
    const cases = [
      { auth: 'user', id: idOf('shop') },
      { auth: 'user', id: idOf('customer') },
      { auth: 'client', id: idOf('operator') },
      { auth: 'client', id: idOf('first') },
      { auth: 'user', id: 999_999 },
    ]
    for (const target of cases) {
      const password = { password: 'stolen-pass-1', confirmPassword: 'stolen-pass-1' }
      const replies = [
        await put(customer, 'user', { ...target, name: 'x' }),
        await server.call('DELETE', '/user/account', { as: customer, body: target }),
        await server.call('PUT', '/user/account/password', { as: customer, body: { ...target, ...password } }),
      ]
      expect(replies.map(({ status, body }) => [status, body.code, body.extra])).toEqual(
        Array(3).fill([403, 101018, undefined]),
      )
    }
  })

  test('nobody can update an account with more rights than their own', async () => {
    const staff = { console: 'client', as: operator } as const
    await makePerson(server, 'desk', { ...staff, permissions: ['accounts.read', 'accounts.write'] })
    const desk = await signInPerson(server, 'client', 'desk')
    const { data } = await list(desk, 'client', '?auth=user&name=customer')
    const body = { auth: 'user', id: data[0].id, password: 'stolen-pass-1', confirmPassword: 'stolen-pass-1' }
    expect((await server.call('PUT', '/client/account/password', { as: desk, body })).body.code).toBe(101018)
    expect((await put(desk, 'client', { auth: 'user', id: data[0].id, email: 'mine@example.com' })).body.code).toBe(
      101018,
    )
  })

  test('a password set by a parent account ends the sessions and must be changed at the next sign-in', async () => {
    const id = await makePerson(server, 'forgetful', { console: 'user', as: customer })
    const before = await signInPerson(server, 'user', 'forgetful')
    const body = { auth: 'user', id, password: 'another-one-2', confirmPassword: 'another-one-2' }
    expect((await server.call('PUT', '/user/account/password', { as: customer, body })).status).toBe(200)
    expect((await server.call('GET', '/user/account/self', { as: before })).body.code).toBe(101013)
    const after = await server.signIn('user', 'forgetful', 'another-one-2')
    expect((await server.call('GET', '/user/account/self', { as: after })).body.data.mustChangePassword).toBe(true)
    const { rows } = await server.services.database.pool.query(
      "select detail::text from audit where action = 'account.password.set'",
    )
    expect(JSON.stringify(rows)).not.toContain('another-one-2')
  })
})

describe('removing accounts', () => {
  test('reports what would be orphaned', async () => {
    const id = await makePerson(server, 'parent', { console: 'client', as: operator, auth: 'user' })
    const parent = await signInPerson(server, 'user', 'parent')
    const sub = await makePerson(server, 'child', { console: 'user', as: parent })
    const remove = () => server.call('DELETE', '/client/account', { as: operator, body: { auth: 'user', id } })
    expect((await remove()).body).toMatchObject({ code: 101003, extra: 'account has subs' })
    const subs = (await server.call('GET', `/client/account/${id}/subs`, { as: operator })).body
    expect([subs.total, subs.data[0].id]).toEqual([1, sub])
    await server.call('DELETE', '/user/account', { as: parent, body: { auth: 'user', id: sub } })
    const siteID = await server.makeSite(parent, 'a site')
    const left = (await server.call('GET', `/client/account/${id}/removalCheck`, { as: operator })).body.data
    expect(left).toEqual({ subs: 0, sites: 1, zones: 0, apiTokens: 0, sessions: 1, grants: 0 })
    expect((await remove()).body).toMatchObject({ code: 101003, extra: 'account has sites' })
    await server.call('DELETE', '/user/site', { as: parent, body: { siteID, siteName: 'a site' } })
    expect((await remove()).status).toBe(200)
    expect((await server.call('GET', '/user/account/self', { as: parent })).body.code).toBe(101013)
  })
})

describe('an expiry date', () => {
  test('blocks sign-in once it has passed, says why, and must be moved before the account is re-enabled', async () => {
    const id = await makePerson(server, 'guest', { console: 'user', as: customer })
    const guest = await signInPerson(server, 'user', 'guest')
    const soon = new Date(Date.now() + 3_600_000).toISOString()
    expect((await put(customer, 'user', { auth: 'user', id, expiredAt: soon })).status).toBe(200)
    expect((await list(customer, 'user', '?name=guest')).data[0]).toMatchObject({ expiredAt: soon, status: 1 })
    expect((await server.call('GET', '/user/account/self', { as: guest })).status).toBe(200)
    const past = new Date(Date.now() - 1000).toISOString()
    expect((await put(customer, 'user', { auth: 'user', id, expiredAt: past })).status).toBe(200)
    expect((await server.call('GET', '/user/account/self', { as: guest })).body.code).toBe(101013)
    const { expireAccounts } = await import('./expire.ts')
    expect(await expireAccounts(server.services)).toBe(1)
    expect((await list(customer, 'user', '?name=guest')).data[0]).toMatchObject({ status: 3, statusName: 'expired' })
    const entries = (
      await server.call('POST', '/user/auditLogs', { as: customer, body: { action: 'account.expired' } })
    ).body.data
    expect(entries[0]).toMatchObject({ accountName: 'guest' })
    expect((await put(customer, 'user', { auth: 'user', id, status: 1 })).body.extra).toEqual([
      { field: 'expiredAt', reason: 'inThePast' },
    ])
    expect((await put(customer, 'user', { auth: 'user', id, status: 1, expiredAt: null })).status).toBe(200)
    await expect(signInPerson(server, 'user', 'guest')).resolves.toBeTruthy()
  })
})

describe('roles of an account', () => {
  test('can be set, but only roles of its tenant and only on accounts below one’s own', async () => {
    const id = await makePerson(server, 'roleless', { console: 'user', as: customer })
    const role = (
      await server.call('POST', '/user/roles', { as: customer, body: { name: 'r', permissions: ['sites.read'] } })
    ).body.data.id
    const set = (as: TokenSet, roleIDs: number[]) =>
      server.call('PUT', '/user/account/role', { as, body: { id, roleIDs } })
    expect((await set(customer, [role, 999_999])).body).toMatchObject({
      code: 101003,
      extra: [{ field: 'roleIDs.1', reason: 'unknownRole' }],
    })
    expect((await set(customer, [role])).status).toBe(200)
    expect((await list(customer, 'user', '?name=roleless')).data[0].roles).toEqual([{ id: role, name: 'r' }])
    const writer = { console: 'user', as: customer, permissions: ['accounts.read', 'accounts.write'] } as const
    await makePerson(server, 'clerk', writer)
    const clerk = await signInPerson(server, 'user', 'clerk')
    expect((await set(clerk, [])).body.code).toBe(101018)
    expect(names(await list(clerk, 'user'))).toEqual([])
  })
})

describe('a sub-account of a customer', () => {
  test('sees no site until it is granted one, then only that one', async () => {
    const [mine, other] = [await server.makeSite(customer, 'given'), await server.makeSite(customer, 'kept')]
    const id = await makePerson(server, 'limited', {
      console: 'user',
      as: customer,
      permissions: ['sites.read', 'sites.create'],
    })
    const limited = await signInPerson(server, 'user', 'limited')
    expect((await server.call('GET', '/user/sites', { as: limited })).body.total).toBe(0)
    await server.services.database.pool.query(
      'insert into site_grants select tenant_id, id, $2 from sites where id = $1',
      [mine, id],
    )
    const sites = (await server.call('GET', '/user/sites', { as: limited })).body
    expect(sites.data.map(({ siteID }: { siteID: number }) => siteID)).toEqual([mine])
    expect((await server.call('GET', `/user/site/${other}`, { as: limited })).body.code).toBe(101018)
    expect((await server.call('POST', '/user/site', { as: limited, body: { siteName: 'x' } })).body.code).toBe(101018)
    await put(customer, 'user', { auth: 'user', id, allSites: true })
    expect((await server.call('GET', `/user/site/${other}`, { as: limited })).status).toBe(200)
  })
})

test('an account locked by failed sign-ins is listed and found as locked, and can be unlocked from above', async () => {
  await makePerson(server, 'tired', { console: 'client', as: operator, auth: 'user' })
  const fail = () => server.call('POST', '/user/code', { body: { account: 'tired', password: 'not-this-one-1' } })
  for (let i = 0; i < 5; i += 1) await fail()
  const locked = async () =>
    (await list(operator, 'client', '?auth=user&status=2&pageSize=100')) as {
      data: { id: number; account: string; statusName: string }[]
    }
  const [row] = (await locked()).data.filter(({ account }) => account === 'tired')
  expect(row).toMatchObject({ statusName: 'lock' })
  await expect(signInPerson(server, 'user', 'tired')).rejects.toThrow('101012')
  const lifted = await put(operator, 'client', { id: row!.id, auth: 'user', status: 1 })
  expect(lifted.status).toBe(200)
  expect((await locked()).data.filter(({ account }) => account === 'tired')).toEqual([])
  await signInPerson(server, 'user', 'tired')
})
