import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makePerson, signInPerson } from '../testing/people.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let customer: TokenSet
let mySite: number
let otherSite: number
beforeAll(async () => {
  server = await makeTestServer()
  customer = await server.signIn('user', 'customer')
  mySite = await server.makeSite(customer, 'scoped')
  otherSite = await server.makeSite(customer, 'out of scope')
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const make = (body: object, as = customer) => server.call('POST', '/apiToken', { as, body: { name: 'ci', ...body } })
const tokenOf = async (body: object, as = customer): Promise<TokenSet> => {
  const { token } = (await make(body, as)).body.data
  return { accessToken: token, refreshToken: '', tokenType: 'Bearer' }
}
const get = (path: string, as: TokenSet) => server.call('GET', path, { as })

describe('an API token', () => {
  test('is shown once, listed by its first characters, and stored hashed', async () => {
    const made = (await make({ name: 'shown', memo: 'for CI', permissions: ['sites.read'] })).body.data
    expect(made.token).toMatch(/^bwt_[\w-]{43}$/)
    const listed = (await get('/apiTokens?pageSize=100', customer)).body
    const row = listed.data.find(({ id }: { id: number }) => id === made.id)
    expect(row).toMatchObject({ name: 'shown', memo: 'for CI', lastUsedAt: null, token: `${made.token.slice(0, 10)}…` })
    for (const table of ['api_tokens', 'audit']) {
      const { rows } = await query(`select t::text as row from ${table} t`)
      expect(JSON.stringify(rows)).not.toContain(made.token)
    }
  })

  test('can do what its permissions allow and nothing else', async () => {
    const as = await tokenOf({ permissions: ['sites.read'] })
    expect((await get('/user/sites', as)).status).toBe(200)
    expect((await get(`/user/site/${mySite}/domains`, as)).body.code).toBe(101018)
    expect((await get('/client/sites', as)).body.code).toBe(101018)
    const own = (await get('/user/account/permissions', as)).body.data
    expect(own).toEqual([{ key: 'sites.read' }])
  })

  test('only reaches its own sites, in lists and by id', async () => {
    const as = await tokenOf({ siteIDs: [mySite] })
    const sites = (await get('/user/sites', as)).body
    expect([sites.total, sites.data[0].siteID]).toEqual([1, mySite])
    expect((await get('/user/metaSites', as)).body).toEqual({
      data: [{ siteID: mySite, siteName: 'scoped' }],
      total: 1,
    })
    const [foreign, missing] = [await get(`/user/site/${otherSite}`, as), await get('/user/site/999999', as)]
    expect({ ...foreign.body, requestId: '' }).toEqual({ ...missing.body, requestId: '' })
    const body = { domains: [{ name: 'x.example.com', upstreams: [{ ip: '127.0.0.1', port: 80 }] }] }
    expect((await server.call('POST', `/user/site/${otherSite}/domains`, { as, body })).body.code).toBe(101018)
    expect((await server.call('POST', `/user/site/${mySite}/domains`, { as, body })).status).toBe(200)
    expect((await server.call('POST', '/user/site', { as, body: { siteName: 'new' } })).body.code).toBe(101018)
  })

  test('only works from its own networks', async () => {
    const as = await tokenOf({ cidrs: ['192.0.2.0/24', '2001:db8::/32'] })
    const refused = (await get('/user/sites', as)).body
    expect([refused.code, refused.extra]).toEqual([101018, 'sourceAddress'])
    const from = (remoteAddress: string) =>
      server.app.inject({
        url: '/api/v1/user/sites',
        remoteAddress,
        headers: { authorization: `Bearer ${as.accessToken}` },
      })
    expect((await from('192.0.2.77')).statusCode).toBe(200)
    expect((await from('::ffff:192.0.2.77')).statusCode).toBe(200)
    expect((await from('2001:db9::1')).statusCode).toBe(403)
  })

  test('ends when it expires, when it is removed, and with its owner’s account', async () => {
    const id = await makePerson(server, 'owner', {
      console: 'user',
      as: customer,
      permissions: ['sites.read', 'apiTokens.write'],
    })
    const owner = await signInPerson(server, 'user', 'owner')
    const expiredAt = new Date(Date.now() + 3_600_000).toISOString()
    const made = (await make({ expiredAt }, owner)).body.data
    const as = { ...owner, accessToken: made.token }
    expect((await get('/user/sites', as)).status).toBe(200)
    await query('update accounts set status = 2 where id = $1', [id])
    expect((await get('/user/sites', as)).body.code).toBe(101013)
    await query('update accounts set status = 1 where id = $1', [id])
    await query('update api_tokens set expires_at = now() where id = $1', [made.id])
    expect((await get('/user/sites', as)).body.code).toBe(101014)
    const removal = { as: owner, body: { ids: [made.id] } }
    expect((await server.call('DELETE', '/apiTokens', removal)).status).toBe(200)
    expect((await get('/user/sites', as)).body.code).toBe(101013)
    // Removing a token that is already gone succeeds.
    expect((await server.call('DELETE', '/apiTokens', removal)).status).toBe(200)
  })

  test('immediately loses any permission that its owner loses', async () => {
    const permissions = ['sites.read', 'logs.read', 'apiTokens.write']
    await makePerson(server, 'shrinking', { console: 'user', as: customer, permissions })
    const as = await tokenOf({ permissions: ['sites.read'] }, await signInPerson(server, 'user', 'shrinking'))
    expect((await get('/user/sites', as)).status).toBe(200)
    await query("update roles set permissions = '{logs.read}' where name = 'role of shrinking'")
    expect((await get('/user/sites', as)).body.code).toBe(101018)
  })

  test('cannot create tokens, change passwords or refresh a session', async () => {
    const as = await tokenOf({})
    expect((await make({}, as)).body).toMatchObject({ code: 101018, extra: 'apiToken' })
    const password = { oldPassword: 'correct-horse-7', password: 'stolen-pass-1', confirmPassword: 'stolen-pass-1' }
    expect((await server.call('PATCH', '/user/password', { as, body: password })).body.code).toBe(101018)
    const pair = { accessToken: as.accessToken, refreshToken: as.accessToken }
    expect((await server.call('PATCH', '/user', { body: pair })).body.code).toBe(101016)
    const other = { auth: 'user', id: 1, password: 'stolen-pass-1', confirmPassword: 'stolen-pass-1' }
    expect((await server.call('PUT', '/user/account/password', { as, body: other })).body.code).toBe(101018)
  })

  test('leaves an audit entry even if it only reads: once an hour per address', async () => {
    const { token } = (await make({ name: 'reader' })).body.data
    const headers = { authorization: `Bearer ${token}` }
    for (const remoteAddress of ['192.0.2.7', '::ffff:192.0.2.7', '198.51.100.9'])
      await server.app.inject({ method: 'GET', url: '/api/v1/user/sites', headers, remoteAddress })
    const seen = await query("select action, method, url, address from audit where token_name = 'reader' order by id")
    const entry = { action: 'apiToken.used', method: 'GET', url: '/api/v1/user/sites' }
    expect(seen.rows).toEqual([
      { ...entry, address: '192.0.2.7' },
      { ...entry, address: '198.51.100.9' },
    ])
  })

  test('records when it was last used, with at most one write a minute, and is named in the audit log', async () => {
    const made = (await make({ name: 'deployer' })).body.data
    const as = { ...customer, accessToken: made.token }
    const lastUsed = async () =>
      (await query('select last_used_at from api_tokens where id = $1', [made.id])).rows[0].last_used_at
    const before = Date.now()
    await get('/user/sites', as)
    const first = await lastUsed()
    expect(first.getTime()).toBeGreaterThanOrEqual(before - 1000)
    await server.call('POST', '/user/roles', { as, body: { name: 'by a program', permissions: [] } })
    expect(await lastUsed()).toEqual(first)
    const { rows } = await query(
      "select account_name, token_name from audit where action = 'role.create' order by id desc",
    )
    expect(rows[0]).toEqual({ account_name: 'customer', token_name: 'deployer' })
  })

  test('validation errors name the field', async () => {
    const wrong = async (body: object) => {
      const reply = (await make(body)).body
      return [reply.code, reply.extra?.[0]?.field]
    }
    expect(await wrong({ permissions: ['nodes.write'] })).toEqual([101018, 'permissions.0'])
    expect(await wrong({ siteIDs: [mySite, 999_999] })).toEqual([101003, 'siteIDs.1'])
    expect(await wrong({ cidrs: ['moon'] })).toEqual([101003, 'cidrs.0'])
    expect(await wrong({ expiredAt: '2020-01-01T00:00:00Z' })).toEqual([101003, 'expiredAt'])
    expect(await wrong({ expiredAt: 'soon' })).toEqual([101003, 'expiredAt'])
    expect(await wrong({ name: '' })).toEqual([101003, 'name'])
  })
})
