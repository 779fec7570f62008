import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmail } from '../mail/outbox.ts'
import { signInWithCode } from '../testing/second-step.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.signIn('client', 'operator')
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const put = (name: string, body: object) => server.call('PUT', `/client/setting/${name}`, { as: operator, body })
const get = async (name: string) => (await server.call('GET', `/client/setting/${name}`, { as: operator })).body.data
const changedMeanwhile = [{ field: 'basedOn', reason: 'changedMeanwhile' }]
const inUser = { tier: 'user', account: 'customer' } as const

describe('verification by mail', () => {
  test('is off until mail is known to arrive', async () => {
    expect(await get('accountVerify')).toEqual({ enable: false, login2FAType: 0, mailReady: false })
    expect((await put('accountVerify', { enable: true })).body.extra).toEqual([
      { field: 'enable', reason: 'mailNotReady' },
    ])
    expect((await put('accountVerify', { enable: true, login2FAType: 2 })).body.extra).toEqual([
      { field: 'login2FAType', reason: 'wrongFormat' },
    ])
    expect((await server.signIn('user', 'customer')).accessToken).toBeTruthy()
  })

  test('switched off with the automatic mode, the code is returned with the key', async () => {
    expect((await put('accountVerify', { enable: false, login2FAType: 2 })).status).toBe(200)
    const first = (await server.call('POST', '/user/code', { body: { account: 'customer', password: testPassword } }))
      .body
    expect(first.data).toMatchObject({
      login2FAType: 2,
      onePassKey: expect.any(String),
      code: expect.stringMatching(/^\d{6}$/),
    })
    expect((await signInWithCode(server, inUser, ({ body }) => body.data.code)).status).toBe(200)
    expect((await signInWithCode(server, inUser, () => '000000')).body.code).toBe(101012)
    expect((await put('accountVerify', { enable: false })).status).toBe(200)
    // Based on outdated values: somebody else has changed them since.
    const late = await put('accountVerify', { enable: false, basedOn: { enable: false, login2FAType: 2 } })
    expect([late.status, late.body.extra]).toEqual([409, changedMeanwhile])
    expect((await put('accountVerify', { enable: false, basedOn: { login2FAType: 0 } })).status).toBe(200)
  })

  test('switched on, customers with an address must enter the mailed code, in their language', async () => {
    await query('update sign_in_policies set mail_tested = true')
    await query("update accounts set email = 'customer@example.com' where account = 'customer'")
    expect((await put('accountVerify', { enable: true })).status).toBe(200)
    const first = await server.call('POST', '/user/code', {
      body: { account: 'customer', password: testPassword },
      headers: { 'accept-language': 'en-US,en;q=0.9' },
    })
    expect(first.body.data).toMatchObject({ login2FAType: 1, sentTo: 'c…r@example.com' })
    const letter = (await query("select * from mail_outbox where template = 'signInCode' order by id desc limit 1"))
      .rows[0]
    expect(letter).toMatchObject({ recipient: 'customer@example.com', locale: 'en_US' })
    const { onePassKey } = first.body.data
    const code = openEmail(server.services.vault, letter)
    const body = { account: 'customer', password: testPassword, onePassKey, login2FAType: 1, code }
    expect((await server.call('POST', '/user/login', { body })).status).toBe(200)
    // The vendor's console has no mail settings, and an account without an address cannot get a code.
    expect((await server.signIn('admin', 'vendor')).accessToken).toBeTruthy()
    expect((await server.signIn('client', 'operator')).accessToken).toBeTruthy()
  })
})

describe('address restrictions for the operator’s people', () => {
  const from = (
    remoteAddress: string,
    path: string,
    options: { method?: 'GET' | 'POST' | 'PUT'; payload?: object } = {},
  ) =>
    server.app.inject({
      url: `/api/v1${path}`,
      remoteAddress,
      method: options.method ?? 'GET',
      headers: { authorization: `Bearer ${operator.accessToken}` },
      ...(options.payload ? { payload: options.payload } : {}),
    })
  const restrict = (cidrs: string[], confirm = false) =>
    from('198.51.100.7', '/client/setting/restrictGroupCIDRs', { method: 'PUT', payload: { cidrs, confirm } })
  const credentials = { account: 'operator', password: testPassword }

  test('nobody can lock themselves out without confirming it', async () => {
    const refused = await restrict(['192.0.2.0/24'])
    expect(refused.json().extra).toEqual([{ field: 'cidrs', reason: 'locksYouOut' }])
    expect((await restrict(['198.51.100.0/24', '2001:db8::/32'])).statusCode).toBe(200)
    const payload = { cidrs: [], basedOn: { cidrs: [] } }
    const late = await from('198.51.100.7', '/client/setting/restrictGroupCIDRs', { method: 'PUT', payload })
    expect([late.statusCode, late.json().extra]).toEqual([409, changedMeanwhile])
    expect((await from('198.51.100.9', '/client/setting/restrictGroupCIDRs')).json().data).toEqual({
      cidrs: ['198.51.100.0/24', '2001:db8::/32'],
      address: '198.51.100.9',
    })
  })

  test('from elsewhere a session or a correct password is rejected; customers are not affected', async () => {
    const call = await from('203.0.113.5', '/client/account/self')
    expect([call.statusCode, call.json().extra]).toEqual([403, 'sourceAddress'])
    const signIn = await from('203.0.113.5', '/client/code', { method: 'POST', payload: credentials })
    expect([signIn.statusCode, signIn.json().extra]).toEqual([403, 'sourceAddress'])
    const wrong = { ...credentials, password: 'wrong-pass-1' }
    expect((await from('203.0.113.5', '/client/code', { method: 'POST', payload: wrong })).json().code).toBe(101012)
    expect((await from('198.51.100.7', '/client/code', { method: 'POST', payload: credentials })).statusCode).toBe(200)
    const customer = { account: 'stranger', password: testPassword }
    await server.makeCustomer('stranger')
    expect((await from('203.0.113.5', '/user/code', { method: 'POST', payload: customer })).statusCode).toBe(200)
  })

  test('an operator who acts for a customer can do so only from there', async () => {
    const { id } = (await query("select id from accounts where account = 'stranger'")).rows[0]
    const payload = { auth: 'user', id, reason: 'ticket' }
    const { code } = (await from('198.51.100.7', '/client/proxy', { method: 'POST', payload })).json().data
    const acting = (await from('198.51.100.7', '/user/switchUser', { method: 'POST', payload: { code } })).json().data
    const self = (remoteAddress: string) =>
      server.app.inject({
        url: '/api/v1/user/account/self',
        remoteAddress,
        headers: { authorization: `Bearer ${acting.accessToken}` },
      })
    expect((await self('198.51.100.7')).statusCode).toBe(200)
    expect((await self('203.0.113.5')).json().extra).toBe('sourceAddress')
  })

  test('invalid networks are reported', async () => {
    expect((await restrict(['198.51.100.0/24', 'office'])).json().extra).toEqual([
      { field: 'cidrs.1', reason: 'wrongFormat' },
    ])
    expect((await restrict(['192.0.2.0/24'], true)).statusCode).toBe(200)
    expect((await from('198.51.100.7', '/client/account/self')).statusCode).toBe(403)
    await query("update sign_in_policies set cidrs = '{}'")
  })
})
