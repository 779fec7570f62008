import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { makeTestServer, type TestServer, testPassword } from '../testing/server.ts'
import { takeAttempt } from './lock.ts'

let server: TestServer
beforeAll(async () => {
  server = await makeTestServer()
})
afterAll(() => server.stop())

const self = (as: { accessToken: string; refreshToken: string; tokenType: string }) =>
  server.call('GET', '/user/account/self', { as })
const refresh = ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }, from = '192.0.2.7') =>
  server.call('PATCH', '/user', { from, body: { accessToken, refreshToken } })

/** Ages the tokens instead of waiting. */
const age = (seconds: number) =>
  server.services.database.pool.query(
    'update session_tokens set access_expires_at = access_expires_at - make_interval(secs => $1), replaced_at = replaced_at - make_interval(secs => $1)',
    [seconds],
  )

describe('signing in', () => {
  test('works while the same person creates sites: no deadlock between the two', async () => {
    const as = await server.signIn('user', 'customer')
    const made = Array.from({ length: 16 }, (_, n) =>
      server.call('POST', '/user/site', { as, body: { siteName: `beside ${n}` } }),
    )
    const entered = Array.from({ length: 16 }, () =>
      server.call('POST', '/user/code', { body: { account: 'customer', password: testPassword } }),
    )
    const answers = await Promise.all([...made, ...entered])
    expect(answers.filter(({ status }) => status !== 200).map(({ body }) => body)).toEqual([])
  })

  test('returns tokens that identify their account', async () => {
    const pair = await server.signIn('user', 'customer')
    const { status, body } = await self(pair)
    expect([status, body.data.account, body.data.auth, body.data.isRoot]).toEqual([200, 'customer', 'user', true])
    expect(body.data.permissions).toContain('firewall.write')
    expect(body.data.permissions).not.toContain('nodes.write')
  })

  test('a token of one console is not accepted in another', async () => {
    const as = await server.signIn('user', 'customer')
    const { status, body } = await server.call('GET', '/client/account/self', { as })
    expect([status, body.code]).toEqual([401, 101013])
  })

  test('an unknown account and a wrong password are refused in the same way', async () => {
    const unknown = await server.call('POST', '/user/code', { body: { account: 'nobody', password: 'x1234567' } })
    const wrong = await server.call('POST', '/user/code', { body: { account: 'customer', password: 'x1234567' } })
    expect([unknown.status, unknown.body.code, unknown.body.message]).toEqual([
      401,
      101012,
      'Failed To Auth The Credential',
    ])
    expect({ ...wrong.body, requestId: '' }).toEqual({ ...unknown.body, requestId: '' })
  })

  test('five failures lock the name, even for the right password, and even if no such account exists', async () => {
    await server.makeCustomer('locked')
    for (const account of ['locked', 'phantom']) {
      for (let i = 0; i < 5; i += 1)
        await server.call('POST', '/user/code', { body: { account, password: 'wrong-1234' } })
      const { body } = await server.call('POST', '/user/code', { body: { account, password: testPassword } })
      expect(body.code).toBe(101012)
    }
  })

  test('of fifty concurrent attempts only five are checked: a right one after five wrong ones is refused', async () => {
    await server.makeCustomer('raced')
    const guess = (password: string) => server.call('POST', '/user/code', { body: { account: 'raced', password } })
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, n) => guess(n === 30 ? testPassword : `wrong-${n}-pass`)),
    )
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['401 101012']))
    // Attempts that another process has begun count as well.
    await server.makeCustomer('shared')
    const trier = { tier: 'user', account: 'shared', address: '192.0.2.8' }
    const { db } = server.services.database
    const tries = await Promise.all(Array.from({ length: 50 }, () => withSystem(db, (tx) => takeAttempt(tx, trier))))
    expect(tries.filter(({ mayPass }) => mayPass)).toHaveLength(5)
    expect(tries.filter(({ isLast }) => isLast)).toHaveLength(1)
    const late = { body: { account: 'shared', password: testPassword } }
    expect((await server.call('POST', '/user/code', late)).body.code).toBe(101012)
  })

  test('of many concurrent attempts from one address at most fifty are checked; the rest lock no name', async () => {
    const { db } = server.services.database
    const take = (n: number) =>
      withSystem(db, (tx) => takeAttempt(tx, { tier: 'user', account: `name-${n}`, address: '192.0.2.9' }))
    const tries = await Promise.all(Array.from({ length: 80 }, (_, n) => take(n)))
    expect(tries.filter(({ mayPass }) => mayPass)).toHaveLength(50)
    const names = await server.services.database.pool.query(
      "select from sign_in_failures where key like 'user/name/name-%'",
    )
    expect(names.rowCount).toBe(50)
  })

  test('right attempts are uncounted: signing in with the right password never locks anybody out', async () => {
    await server.makeCustomer('regular')
    for (let n = 0; n < 4; n += 1)
      await server.call('POST', '/user/code', { body: { account: 'regular', password: 'wrong-1234' } })
    for (let n = 0; n < 8; n += 1) await server.signIn('user', 'regular')
    const as = await server.signIn('user', 'regular')
    for (let n = 0; n < 8; n += 1) {
      const body = { password: testPassword }
      expect((await server.call('POST', '/user/verify', { as, body })).status).toBe(200)
    }
  })

  test('an empty field and a space are reported at their field', async () => {
    const { status, body } = await server.call('POST', '/user/code', { body: { account: '', password: 'a b' } })
    expect([status, body.code]).toEqual([400, 101003])
    expect(body.extra).toEqual(
      expect.arrayContaining([
        { field: 'account', reason: 'required' },
        { field: 'password', reason: 'wrongFormat' },
      ]),
    )
  })
})

describe('a session', () => {
  test('expires by time and continues with a refresh', async () => {
    const pair = await server.signIn('user', 'customer')
    await age(3600)
    expect((await self(pair)).body.code).toBe(101014)
    const next = (await refresh(pair)).body.data
    expect((await self(next)).status).toBe(200)
  })

  test('two tabs that refresh with the same pair at once both continue', async () => {
    const pair = await server.signIn('user', 'customer')
    const [one, two] = await Promise.all([refresh(pair), refresh(pair)])
    expect([one.status, two.status]).toEqual([200, 200])
    expect((await self(one.body.data)).status).toBe(200)
    expect((await self(two.body.data)).status).toBe(200)
  })

  test('thirty concurrent uses of one pair all return the same next pair, which works', async () => {
    const pair = await server.signIn('user', 'customer')
    const replies = await Promise.all(Array.from({ length: 30 }, () => refresh(pair)))
    expect(replies.map(({ status }) => status)).toEqual(Array(30).fill(200))
    expect(new Set(replies.map(({ body }) => body.data.refreshToken)).size).toBe(1)
    const { rows } = await server.services.database.pool.query(
      `select count(*)::int as pairs from session_tokens where session_id =
       (select session_id from session_tokens where access_hash = sha256($1))`,
      [Buffer.from(pair.accessToken)],
    )
    expect(rows).toEqual([{ pairs: 2 }])
    expect((await refresh(replies[0]!.body.data)).status).toBe(200)
  })

  test('reusing a pair from another address counts as theft, however soon: all tokens of the session die', async () => {
    const pair = await server.signIn('user', 'customer')
    const next = (await refresh(pair)).body.data
    expect((await refresh(pair, '198.51.100.9')).body.code).toBe(101016)
    expect((await self(next)).body.code).toBe(101013)
    expect((await refresh(pair)).body.code).toBe(101016)
  })

  test('reusing a rotated pair later counts as theft: all tokens of the session die', async () => {
    const pair = await server.signIn('user', 'customer')
    const next = (await refresh(pair)).body.data
    await age(11)
    expect((await refresh(pair)).body.code).toBe(101016)
    expect((await self(next)).body.code).toBe(101013)
    expect((await refresh(next)).body.code).toBe(101016)
  })

  test('a refresh token with another session’s access token is not a valid pair', async () => {
    const [one, two] = [await server.signIn('user', 'customer'), await server.signIn('user', 'customer')]
    expect((await refresh({ accessToken: one.accessToken, refreshToken: two.refreshToken })).body.code).toBe(101016)
  })

  test('signing out ends it, and works once', async () => {
    const pair = await server.signIn('user', 'customer')
    const { tokenType: _, ...body } = pair
    expect((await server.call('DELETE', '/user', { body })).status).toBe(200)
    expect((await self(pair)).body.code).toBe(101013)
    expect((await server.call('DELETE', '/user', { body })).body.code).toBe(101015)
  })
})

describe('a password change', () => {
  test('ends all other sessions and rotates this one', async () => {
    await server.makeCustomer('changer')
    const [here, there] = [await server.signIn('user', 'changer'), await server.signIn('user', 'changer')]
    const body = { oldPassword: testPassword, password: 'another-pass-9', confirmPassword: 'another-pass-9' }
    const { status, body: reply } = await server.call('PATCH', '/user/password', { as: here, body })
    expect(status).toBe(200)
    expect((await self(there)).body.code).toBe(101013)
    expect((await self(here)).status).toBe(401)
    expect((await self(reply.data)).status).toBe(200)
    await expect(server.signIn('user', 'changer', 'another-pass-9')).resolves.toBeTruthy()
  })

  test('validation errors name the field', async () => {
    const as = await server.signIn('user', 'customer')
    const change = async (body: object) => (await server.call('PATCH', '/user/password', { as, body })).body
    expect((await change({ oldPassword: 'x', password: 'abcdefg1', confirmPassword: 'abcdefg2' })).extra).toEqual([
      { field: 'confirmPassword', reason: 'passwordNotMatch' },
    ])
    expect((await change({ oldPassword: 'x', password: 'short1', confirmPassword: 'short1' })).extra[0]).toEqual({
      field: 'password',
      reason: 'passwordTooShort',
    })
    expect((await change({ oldPassword: 'wrong-one-1', password: 'abcdefg1', confirmPassword: 'abcdefg1' })).code).toBe(
      101012,
    )
  })

  test('an initial password that must be changed blocks every other call', async () => {
    await server.makeCustomer('fresh')
    await server.services.database.pool.query("update accounts set must_change_password = true where account = 'fresh'")
    const as = await server.signIn('user', 'fresh')
    const { status, body } = await server.call('GET', '/user/sites', { as })
    expect([status, body.code, body.extra]).toEqual([403, 101018, 'passwordChangeRequired'])
    const own = await server.call('GET', '/user/login2fa', { as })
    expect([own.body.code, own.body.extra]).toEqual([101018, 'passwordChangeRequired'])
    expect((await server.call('GET', '/user/account/self', { as })).body.data.mustChangePassword).toBe(true)
    const change = { oldPassword: testPassword, password: 'chosen-by-me-1', confirmPassword: 'chosen-by-me-1' }
    const next = (await server.call('PATCH', '/user/password', { as, body: change })).body.data
    expect((await server.call('GET', '/user/sites', { as: next })).status).toBe(200)
  })
})
