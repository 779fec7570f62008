import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openEmail } from '../mail/outbox.ts'
import { appCode, holdTimeOfDay, setUpApp, signInWithCode } from '../testing/second-step.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'

holdTimeOfDay()
let server: TestServer
beforeAll(async () => {
  server = await makeTestServer()
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)
const phase = (as: TokenSet, n: number, body: object) => server.call('POST', `/user/login2fa/phase${n}`, { as, body })
const begin = async (as: TokenSet) => (await phase(as, 0, { password: testPassword })).body.data.onePassKey
const newCustomer = async (account: string) => {
  await server.makeCustomer(account)
  return server.signIn('user', account)
}
const inUser = (account: string) => ({ tier: 'user', account }) as const

/** The code in the newest mail to an address. */
async function lettersCode(recipient: string): Promise<string> {
  const { rows } = await query('select * from mail_outbox where recipient = $1 order by id desc limit 1', [recipient])
  return openEmail(server.services.vault, rows[0])
}
const mailTested = (tested: boolean) =>
  query(
    `insert into sign_in_policies (tenant_id, mail_tested) select id, $1 from tenants where kind = 'operator'
     on conflict (tenant_id) do update set mail_tested = excluded.mail_tested`,
    [tested],
  )

describe('an authenticator app', () => {
  test('is set up in three phases and required from then on', async () => {
    const as = await newCustomer('with-app')
    const { app, recoveryCodes } = await setUpApp(server, 'user', as)
    expect(app).toMatch(/^otpauth:\/\/totp\/Breakwater:with-app\?/)
    expect(new Set(recoveryCodes).size).toBe(10)
    const first = (await server.call('POST', '/user/code', { body: { account: 'with-app', password: testPassword } }))
      .body.data
    expect(first).toMatchObject({ login2FAType: 3, methods: [3], onePassKey: expect.any(String) })
    expect(first).not.toHaveProperty('accessToken')
    const done = await signInWithCode(server, inUser('with-app'), () => appCode(app))
    expect([done.status, Object.keys(done.body.data)]).toEqual([200, ['accessToken', 'refreshToken', 'tokenType']])
    const self = (await server.call('GET', '/user/account/self', { as: done.body.data })).body.data
    expect(self.login2FAType).toBe(3)
  })

  test('confirms its owner before sensitive actions, once per code; wrong codes count toward the lock', async () => {
    const as = await newCustomer('confirms')
    const { app } = await setUpApp(server, 'user', as)
    const verify = (body: object) => server.call('POST', '/user/verify', { as, body })
    const code = appCode(app)
    expect((await verify({ code })).body.data).toEqual({ valid: true })
    expect((await verify({ code })).body).toMatchObject({
      code: 101012,
      extra: [{ field: 'code', reason: 'wrongCode' }],
    })
    for (let n = 0; n < 4; n += 1) expect((await verify({ code: '000000' })).body.code).toBe(101012)
    expect((await verify({ password: testPassword })).body.code).toBe(101012)
    for (const body of [{}, { password: testPassword, code }])
      expect((await verify(body)).body.extra).toEqual([{ field: 'password', reason: 'required' }])
  })

  test('shows its secret as a QR code once, and stores it sealed', async () => {
    const as = await newCustomer('sealed')
    const one = (await phase(as, 1, { onePassKey: await begin(as), login2FAType: 3 })).body.data
    expect(one.qrCode).toMatch(/^data:image\/svg\+xml;base64,/)
    await phase(as, 2, { onePassKey: one.onePassKey, code: appCode(one.qrCodeData) })
    const { rows } = await query(
      'select sealed from totp_secrets t join accounts a on a.id = t.account_id where a.account = $1',
      ['sealed'],
    )
    const secret = new URL(one.qrCodeData).searchParams.get('secret')!
    expect(rows[0].sealed.toString('latin1')).not.toContain(secret)
    const { rows: entries } = await query("select detail::text from audit where account_name = 'sealed'")
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('a code works once; a code one time step away works too', async () => {
    const { app } = await setUpApp(server, 'user', await newCustomer('replayed'))
    const code = appCode(app)
    expect((await signInWithCode(server, inUser('replayed'), () => code)).status).toBe(200)
    expect((await signInWithCode(server, inUser('replayed'), () => code)).body.code).toBe(101012)
    expect((await signInWithCode(server, inUser('replayed'), () => appCode(app, 1))).status).toBe(200)
    // Two steps away is too far, and any step older than the last one used is spent.
    expect((await signInWithCode(server, inUser('replayed'), () => appCode(app, 3))).body.code).toBe(101012)
    expect((await signInWithCode(server, inUser('replayed'), () => appCode(app, 0))).body.code).toBe(101012)
  })

  test('aborting the set-up changes nothing', async () => {
    const as = await newCustomer('undecided')
    await phase(as, 1, { onePassKey: await begin(as), login2FAType: 3 })
    expect((await server.signIn('user', 'undecided')).accessToken).toBeTruthy()
  })

  test('phases out of order, keys of other accounts and used keys are refused', async () => {
    const [as, other] = [await newCustomer('orderly'), await newCustomer('meddler')]
    const zero = await begin(as)
    const codes = [
      (await phase(as, 2, { onePassKey: zero, code: '123456' })).body.code,
      (await phase(other, 1, { onePassKey: zero, login2FAType: 3 })).body.code,
      (await phase(as, 1, { onePassKey: 'nothing', login2FAType: 3 })).body.code,
    ]
    expect(codes).toEqual([101012, 101012, 101012])
    const one = (await phase(as, 1, { onePassKey: zero, login2FAType: 3 })).body.data
    expect((await phase(as, 1, { onePassKey: zero, login2FAType: 3 })).body.code).toBe(101012)
    await query('update one_pass_keys set expires_at = now() - interval $$1 hour$$')
    expect((await phase(as, 2, { onePassKey: one.onePassKey, code: appCode(one.qrCodeData) })).body.code).toBe(101012)
  })

  test('a wrong password, kind or code is reported at its field', async () => {
    const as = await newCustomer('clumsy')
    expect((await phase(as, 0, { password: 'wrong-pass-1' })).body).toMatchObject({
      code: 101012,
      extra: [{ field: 'password', reason: 'wrongPassword' }],
    })
    expect((await phase(as, 0, {})).body.extra).toEqual([{ field: 'password', reason: 'required' }])
    const zero = await begin(as)
    expect((await phase(as, 1, { onePassKey: zero, login2FAType: 7 })).body.extra).toEqual([
      { field: 'login2FAType', reason: 'wrongFormat' },
    ])
    expect((await phase(as, 1, { onePassKey: zero, login2FAType: 1 })).body.extra).toEqual([
      { field: 'login2FAType', reason: 'mailNotReady' },
    ])
    const one = (await phase(as, 1, { onePassKey: zero, login2FAType: 3 })).body.data
    expect((await phase(as, 2, { onePassKey: one.onePassKey, code: '000000' })).body).toMatchObject({
      code: 101012,
      extra: [{ field: 'code', reason: 'wrongCode' }],
    })
    expect((await phase(as, 2, { onePassKey: one.onePassKey, code: appCode(one.qrCodeData) })).status).toBe(200)
  })

  test('is replaced or removed only with its own code', async () => {
    const as = await newCustomer('changing')
    const { app } = await setUpApp(server, 'user', as)
    const zero = (await phase(as, 0, { password: testPassword })).body.data
    expect(zero.login2FAType).toBe(3)
    const wrong = await phase(as, 1, { onePassKey: zero.onePassKey, login2FAType: 0, code: '000000' })
    expect(wrong.body.extra).toEqual([{ field: 'code', reason: 'wrongCode' }])
    const one = (await phase(as, 1, { onePassKey: zero.onePassKey, login2FAType: 0, code: appCode(app) })).body.data
    expect((await phase(as, 2, { onePassKey: one.onePassKey })).body.data.login2FAType).toBe(0)
    expect((await server.signIn('user', 'changing')).accessToken).toBeTruthy()
    const state = (await server.call('GET', '/user/login2fa', { as })).body.data
    expect(state).toMatchObject({ login2FAType: 0, chosen: 0, recoveryCodes: 0, passkeys: [] })
  })
})

describe('the second step of a sign-in', () => {
  test('wrong codes lock as wrong passwords do, for name and e-mail address, and invalidate the key', async () => {
    const { app } = await setUpApp(server, 'user', await newCustomer('guessed'))
    await query("update accounts set email = 'guessed@example.com' where account = 'guessed'")
    const first = (await server.call('POST', '/user/code', { body: { account: 'guessed', password: testPassword } }))
      .body.data
    const body = { account: 'guessed', password: testPassword, onePassKey: first.onePassKey, login2FAType: 3 }
    for (let i = 0; i < 5; i += 1)
      expect((await server.call('POST', '/user/login', { body: { ...body, code: '000000' } })).body.code).toBe(101012)
    expect((await server.call('POST', '/user/login', { body: { ...body, code: appCode(app) } })).body.code).toBe(101012)
    for (const account of ['guessed', 'guessed@example.com'])
      expect((await server.call('POST', '/user/code', { body: { account, password: testPassword } })).body.code).toBe(
        101012,
      )
    await query("delete from sign_in_failures where key like '%guessed%'")
    expect((await server.call('POST', '/user/login', { body: { ...body, code: appCode(app) } })).body.code).toBe(101012)
    expect((await signInWithCode(server, inUser('guessed'), () => appCode(app))).status).toBe(200)
  })

  test('a key of another account, an empty code and a second use are refused', async () => {
    const { app } = await setUpApp(server, 'user', await newCustomer('owner-of-key'))
    await newCustomer('borrower')
    const first = (
      await server.call('POST', '/user/code', { body: { account: 'owner-of-key', password: testPassword } })
    ).body.data
    const login = (body: object) =>
      server.call('POST', '/user/login', {
        body: {
          account: 'owner-of-key',
          password: testPassword,
          onePassKey: first.onePassKey,
          login2FAType: 3,
          ...body,
        },
      })
    expect((await login({ account: 'borrower', code: appCode(app) })).body.code).toBe(101012)
    expect((await login({ code: ' ' })).body.extra).toEqual([{ field: 'code', reason: 'required' }])
    expect((await login({ code: appCode(app), password: 'wrong-pass-1' })).body.code).toBe(101012)
    const [one, two] = await Promise.all([login({ code: appCode(app) }), login({ code: appCode(app) })])
    expect([one.status, two.status].sort()).toEqual([200, 401])
  })

  test('a recovery code works once, however it is typed; new codes invalidate the old ones', async () => {
    const as = await newCustomer('recovering')
    const { recoveryCodes } = await setUpApp(server, 'user', as)
    const [first, second] = recoveryCodes as [string, string]
    const spaced = first.toUpperCase().replaceAll('-', ' ')
    expect((await signInWithCode(server, inUser('recovering'), () => spaced)).status).toBe(200)
    expect((await signInWithCode(server, inUser('recovering'), () => first)).body.code).toBe(101012)
    const renewed = await server.call('POST', '/user/login2fa/recoveryCodes', { as, body: { password: testPassword } })
    expect(renewed.body.data.recoveryCodes).toHaveLength(10)
    expect((await signInWithCode(server, inUser('recovering'), () => second)).body.code).toBe(101012)
  })
})

describe('a code by mail', () => {
  test('is offered once mail is known to work, goes to the outbox, and works once within ten minutes', async () => {
    const as = await newCustomer('by-mail')
    await query("update accounts set email = 'by-mail@example.com' where account = 'by-mail'")
    await mailTested(true)
    const one = (await phase(as, 1, { onePassKey: await begin(as), login2FAType: 1 })).body.data
    await phase(as, 2, { onePassKey: one.onePassKey, code: await lettersCode('by-mail@example.com') })
    const first = (await server.call('POST', '/user/code', { body: { account: 'by-mail', password: testPassword } }))
      .body.data
    expect(first).toMatchObject({ login2FAType: 1, sentTo: 'b…l@example.com' })
    expect(first).not.toHaveProperty('code')
    const code = await lettersCode('by-mail@example.com')
    const { rows } = await query("select code_hash from one_pass_keys where purpose = 'signIn' and type = 1")
    expect(JSON.stringify(rows)).not.toContain(code)
    const body = { account: 'by-mail', password: testPassword, onePassKey: first.onePassKey, login2FAType: 1, code }
    expect((await server.call('POST', '/user/login', { body })).status).toBe(200)
    expect((await server.call('POST', '/user/login', { body })).body.code).toBe(101012)
    await mailTested(false)
    expect((await server.signIn('user', 'by-mail')).accessToken).toBeTruthy()
  })
})

describe('a person whose device is lost', () => {
  test('can be let in again only by those above; the sessions end; both tenants see it in their log', async () => {
    const as = await newCustomer('unlucky')
    await setUpApp(server, 'user', as)
    const { id } = (await query("select id from accounts where account = 'unlucky'")).rows[0]
    const reset = (by: TokenSet, tier: string) =>
      server.call('DELETE', `/${tier}/account/login2fa`, { as: by, body: { auth: 'user', id } })
    expect((await reset(await server.signIn('user', 'customer'), 'user')).body.code).toBe(101018)
    const operator = await server.signIn('client', 'operator')
    const list = await server.call('GET', '/client/accounts?name=unlucky', { as: operator })
    expect(list.body.data[0].login2FAType).toBe(3)
    expect((await reset(operator, 'client')).status).toBe(200)
    expect((await server.call('GET', '/user/account/self', { as })).body.code).toBe(101013)
    const again = await server.signIn('user', 'unlucky')
    const log = await server.call('POST', '/user/auditLogs', { as: again, body: { action: 'account.login2fa.reset' } })
    expect(log.body.data[0]).toMatchObject({ accountName: 'operator' })
  })
})

describe('the audit log', () => {
  test('has sign-ins with their method, sign-outs, and failures including those of unknown names', async () => {
    const { tokenType: _, ...pair } = await newCustomer('leaving')
    await server.call('DELETE', '/user', { body: pair })
    await server.call('POST', '/user/code', { body: { account: 'no-such-person', password: 'wrong-pass-1' } })
    const { rows } = await query(
      "select account_name, action, status, detail from audit where account_name in ('leaving', 'no-such-person') order by id",
    )
    expect(rows).toEqual([
      { account_name: 'leaving', action: 'auth.signIn', status: 200, detail: { by: 'password' } },
      { account_name: 'leaving', action: 'auth.signOut', status: 200, detail: null },
      { account_name: 'no-such-person', action: 'auth.signIn.failed', status: 401, detail: { step: 'password' } },
    ])
  })
})
