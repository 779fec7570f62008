import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openEmail } from '../mail/outbox.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let operator: TokenSet
beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.signIn('client', 'operator')
})
afterAll(() => server.stop())

const query = (text: string, values: unknown[] = []) => server.services.database.pool.query(text, values)

/** The newest mail to somebody, with its token. */
async function letterTo(recipient: string) {
  const { rows } = await query('select * from mail_outbox where recipient = $1 order by id desc limit 1', [recipient])
  return { ...rows[0], token: openEmail(server.services.vault, rows[0]) }
}

const invite = async (account: string) => {
  const body = { auth: 'user', name: 'A person', account, email: `${account}@example.com`, locale: 'en_US' }
  return (await server.call('POST', '/client/account', { as: operator, body })).body.data.id as number
}
const register = (token: string, password = 'my-own-pass-1') =>
  server.call('POST', '/register/password', { body: { token, password, confirmPassword: password } })
const check = (token: string) => server.call('POST', '/token/check', { body: { token } })

test('an invited person sets a password and can then sign in; the link works once', async () => {
  const id = await invite('invited')
  const letter = await letterTo('invited@example.com')
  expect(letter).toMatchObject({ template: 'invitation', locale: 'en_US', attempts: 0, sent_at: null })
  expect(letter.values).toEqual({ name: 'A person', account: 'invited', path: '/user/verifyMail' })
  expect((await check(letter.token)).body.data).toEqual({
    valid: true,
    auth: 'user',
    email: 'invited@example.com',
    id,
    name: 'A person',
    token: letter.token,
  })
  await expect(server.signIn('user', 'invited', 'my-own-pass-1')).rejects.toThrow('101012')
  const replies = await Promise.all([register(letter.token), register(letter.token)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await check(letter.token)).body.code).toBe(101012)
  const as = await server.signIn('user', 'invited', 'my-own-pass-1')
  expect((await server.call('GET', '/user/account/self', { as })).body.data).toMatchObject({ isRoot: true, id })
})

test('without a mail server an invitation says it was not sent, and returns the link only to a person', async () => {
  const body = { auth: 'user', name: 'By hand', account: 'by-hand', email: 'by-hand@example.com', locale: 'en_US' }
  const made = (await server.call('POST', '/client/account', { as: operator, body })).body.data
  const { token } = await letterTo('by-hand@example.com')
  expect(made).toMatchObject({ isQueued: false })
  expect(made.link).toMatch(/^\/user\/verifyMail\?token=/)
  expect(new URL(made.link, 'http://console').searchParams.get('token')).toBe(token)
  const again = { auth: 'user', id: made.id }
  const resent = await server.call('POST', '/client/account/resendEmail', { as: operator, body: again })
  expect(new URL(resent.body.data.link, 'http://console').searchParams.get('token')).toBe(
    (await letterTo('by-hand@example.com')).token,
  )
  const robotBody = { name: 'robot' }
  const robot = (await server.call('POST', '/apiToken', { as: operator, body: robotBody })).body.data.token
  const byRobot = await server.call('POST', '/client/account/resendEmail', {
    as: { ...operator, accessToken: robot },
    body: again,
  })
  expect(byRobot.status).toBe(200)
  expect(byRobot.body.data).toEqual({ isQueued: false, link: null })
})

test('resending invalidates the earlier link; any link expires after 24 hours', async () => {
  const id = await invite('twice')
  const first = await letterTo('twice@example.com')
  const again = await server.call('POST', '/client/account/resendEmail', { as: operator, body: { auth: 'user', id } })
  expect(again.status).toBe(200)
  const second = await letterTo('twice@example.com')
  expect((await check(first.token)).body.code).toBe(101012)
  expect((await check(second.token)).status).toBe(200)
  await query("update mail_tokens set expires_at = expires_at - interval '24 hours' where account_id = $1", [id])
  expect((await check(second.token)).body.code).toBe(101012)
  expect((await register(second.token)).body.code).toBe(101012)
})

test('a link neither unlocks an account nor keeps its sessions', async () => {
  const id = await invite('locked')
  await register((await letterTo('locked@example.com')).token)
  const session = await server.signIn('user', 'locked', 'my-own-pass-1')
  await server.call('POST', '/client/account/resendEmail', { as: operator, body: { auth: 'user', id } })
  const letter = await letterTo('locked@example.com')
  expect(letter.template).toBe('password')
  await query('update accounts set status = 2 where id = $1', [id])
  expect((await register(letter.token, 'another-pass-2')).status).toBe(200)
  await query('update accounts set status = 1 where id = $1', [id])
  expect((await server.call('GET', '/user/account/self', { as: session })).body.code).toBe(101013)
  await query('update accounts set status = 2 where id = $1', [id])
  await expect(server.signIn('user', 'locked', 'another-pass-2')).rejects.toThrow('101008')
})

test('the token is not stored in the clear: not in the outbox, the tokens, the replies or the audit log', async () => {
  await invite('quiet')
  const { token } = await letterTo('quiet@example.com')
  for (const table of ['mail_outbox', 'mail_tokens', 'audit']) {
    const { rows } = await query(`select t::text as row from ${table} t`)
    expect(JSON.stringify(rows)).not.toContain(token)
  }
})

test('what the page sends back besides the token is not trusted', async () => {
  const id = await invite('believed')
  const { token } = await letterTo('believed@example.com')
  const body = {
    token,
    auth: 'admin',
    id: 1,
    email: 'x',
    name: 'x',
    password: 'my-own-pass-1',
    confirmPassword: 'other-1x',
  }
  expect((await server.call('POST', '/register/password', { body })).body.extra).toEqual([
    { field: 'confirmPassword', reason: 'passwordNotMatch' },
  ])
  const right = { ...body, confirmPassword: body.password }
  expect((await server.call('POST', '/register/password', { body: right })).status).toBe(200)
  const { rows } = await query('select id from accounts where password_hash is not null and account = $1', ['believed'])
  expect(rows).toEqual([{ id }])
})

test('people can change their own name and e-mail address; taken values are reported at their field', async () => {
  await register((await letterTo('quiet@example.com')).token)
  const as = await server.signIn('user', 'quiet', 'my-own-pass-1')
  const put = (body: object) => server.call('PUT', '/user/account/self', { as, body })
  expect((await put({ name: 'New', email: 'new@example.com', login2FAType: 0 })).status).toBe(200)
  expect((await server.call('GET', '/user/account/self', { as })).body.data.email).toBe('new@example.com')
  expect((await put({ email: 'TWICE@example.com' })).body).toMatchObject({ code: 101017, extra: [{ field: 'email' }] })
  expect((await put({ login2FAType: 3 })).body.extra[0].field).toBe('login2FAType')
})

describe('a forgotten password', () => {
  const forgot = (account: string) => server.call('POST', '/user/password/forgot', { body: { account } })
  const letters = async () =>
    (await query("select recipient from mail_outbox where template = 'password' and recipient like 'forgetful%'")).rows
      .length
  const asked = (n: number) =>
    vi.waitFor(async () => {
      const { rows } = await query("select count(*)::int from audit where action = 'auth.password.forgot'")
      expect(rows[0].count).toBe(n)
    })

  test('replies alike to anybody, and mails to the account’s own address, three times an hour at most', async () => {
    await server.makeCustomer('forgetful')
    await query("update accounts set email = 'forgetful@example.com' where account = 'forgetful'")
    const [known, unknown] = [await forgot('forgetful@example.com'), await forgot('nobody-here')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
    await asked(2)
    expect(await letters()).toBe(1)
    for (let i = 3; i <= 6; i += 1) {
      await forgot('forgetful')
      await asked(i)
    }
    expect(await letters()).toBe(3)
  })

  test('is not mailed to a locked account', async () => {
    await query("update accounts set status = 2 where account = 'forgetful'; delete from mail_outbox")
    await forgot('forgetful')
    await asked(7)
    expect(await letters()).toBe(0)
  })

  test('needs an account name', async () => {
    expect((await forgot('')).body.extra).toEqual([{ field: 'account', reason: 'required' }])
  })
})
