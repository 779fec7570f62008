import { createHmac } from 'node:crypto'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { withSystem } from '../db/database.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { sendDue } from './send.ts'
import { type MailServerUnderTest, startMailServer, startReceiver } from './testing.ts'
import { watchNodes } from './watch-nodes.ts'

let server: TestServer
let mail: MailServerUnderTest
let telegram: Awaited<ReturnType<typeof startReceiver>>
let hook: Awaited<ReturnType<typeof startReceiver>>
let operator: TokenSet
let customer: TokenSet
const botToken = '123456789:AAtest_token_that_is_long_enough'

beforeAll(async () => {
  telegram = await startReceiver(({ path }) =>
    path.startsWith(`/bot${botToken}/`)
      ? { json: { ok: true, result: path.endsWith('getMe') ? { username: 'harbour_bot' } : {} } }
      : { status: 401, json: { ok: false, error_code: 401, description: 'Unauthorized' } },
  )
  hook = await startReceiver(() => ({ json: {} }))
  mail = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] })
  server = await makeTestServer({ telegramApi: telegram.url, publicUrl: 'https://console.harbour.example' })
  operator = await server.signIn('client', 'operator')
  customer = await server.signIn('user', 'customer')
})
afterAll(async () => {
  await Promise.all([server.stop(), mail.close(), telegram.close(), hook.close()])
})
afterEach(async () => {
  mail.letters.length = 0
  mail.refuse.clear()
  telegram.received.length = 0
  hook.received.length = 0
  await withSystem(server.services.database.db, (db) => db.deleteFrom('mailOutbox').execute())
})

const settings = (more: object = {}) => ({
  host: '127.0.0.1',
  port: mail.port,
  account: 'mailer',
  password: 'right',
  from: 'Harbour <no-reply@harbour.example>',
  encryption: 'none',
  ...more,
})
const asOperator = (method: string, path: string, body?: unknown) =>
  server.call(method, `/client/setting${path}`, { as: operator, body })
const save = (more: object = {}) => asOperator('PUT', '/email', { enable: true, ...settings(more) })
const letters = async () => (await asOperator('GET', '/email/letters?pageSize=50')).body.data
/** Makes everything that is waiting due now, as if the time had passed. */
const timePasses = () =>
  withSystem(server.services.database.db, (db) =>
    db
      .updateTable('mailOutbox')
      .set({ nextAttemptAt: new Date(0) })
      .where('sentAt', 'is', null)
      .execute(),
  )
const invite = (email: string, locale = 'en_US') =>
  server.call('POST', '/client/account', {
    as: operator,
    body: { auth: 'user', name: '<b>Ann</b>', email, account: email.split('@')[0], locale },
  })

test('the test button returns the mail server’s own words, and the settings are ready once it passed', async () => {
  const wrong = await asOperator('POST', '/email/test', settings({ password: 'wrong', to: 'me@example.com' }))
  expect([wrong.status, wrong.body.code]).toEqual([400, 101020])
  expect(wrong.body.extra).toContain('5.7.8 Who are you?')
  const nobody = await asOperator('POST', '/email/test', settings({ port: 9, to: 'me@example.com' }))
  expect(nobody.body.extra).toContain('ECONNREFUSED')
  await save()
  expect((await asOperator('GET', '/email')).body.data).toMatchObject({
    password: '',
    passwordSet: true,
    tested: false,
  })
  expect((await asOperator('PUT', '/accountVerify', { enable: true })).body.extra).toEqual([
    { field: 'enable', reason: 'mailNotReady' },
  ])
  // The stored password is used if none is typed.
  const { password: _, ...typed } = settings({ to: 'me@example.com' })
  expect((await asOperator('POST', '/email/test', typed)).status).toBe(200)
  expect(mail.letters[0]).toMatchObject({
    subject: 'Test message from Breakwater',
    to: [{ address: 'me@example.com' }],
  })
  expect((await asOperator('GET', '/email')).body.data.tested).toBe(true)
  expect((await asOperator('PUT', '/accountVerify', { enable: true })).status).toBe(200)
  // Other settings are untested again, and nobody has to enter codes that might not arrive.
  await save({ from: 'other@harbour.example' })
  expect((await asOperator('GET', '/accountVerify')).body.data).toMatchObject({ enable: false, mailReady: false })
})

test('invalid settings are rejected at their field, and a password appears in no answer, log or audit', async () => {
  const extra = async (more: object) => (await save(more)).body.extra
  expect(await extra({ host: '' })).toEqual([{ field: 'host', reason: 'required' }])
  expect(await extra({ port: 0 })).toEqual([{ field: 'port', reason: 'wrongFormat' }])
  expect(await extra({ from: 'a@b.c\r\nBcc: all@example.com' })).toEqual([{ field: 'from', reason: 'emailError' }])
  expect(await extra({ encryption: 'rot13' })).toEqual([expect.objectContaining({ field: 'encryption' })])
  await save({ password: 'a-very-secret-word' })
  const stored = await server.services.database.pool.query('select * from settings')
  const audit = await server.services.database.pool.query('select detail from audit')
  expect(JSON.stringify([stored.rows, audit.rows, (await asOperator('GET', '/email')).body])).not.toContain(
    'a-very-secret-word',
  )
  await save()
})

test('a customer’s letter has the brand of its operator’s customer console; an operator’s own does not', async () => {
  const insert = `insert into brands (tenant_id, tiers, hosts, texts, accent) values
    (2, '{user}', '{}', '{"title":"Harbour CDN"}', ''), (2, '{user}', '{cdn.example}', '{"title":"Elsewhere"}', '')`
  await server.services.database.pool.query(insert)
  expect((await invite('brand@example.com')).status).toBe(200)
  expect(await sendDue(server.services)).toBe(1)
  expect(mail.letters[0]).toMatchObject({ subject: expect.stringContaining('Harbour CDN') })
  expect(mail.letters[0]?.text).not.toContain('Breakwater')
  expect((await asOperator('POST', '/email/test', { ...settings(), to: 'me@example.com' })).status).toBe(200)
  expect(mail.letters[1]).toMatchObject({ subject: 'Test message from Breakwater' })
  await server.services.database.pool.query('delete from brands')
})

test('an invitation arrives in the chosen language, as text and HTML; its link opens the account once', async () => {
  expect((await invite('ann@example.com', 'zh_CN')).body.data).toMatchObject({ isQueued: true, link: null })
  expect(await sendDue(server.services)).toBe(1)
  const letter = mail.letters[0]!
  expect(letter.from).toMatchObject({ name: 'Harbour', address: 'no-reply@harbour.example' })
  expect(letter.subject).toBe('您在 Breakwater 的账号')
  expect(letter.html).toContain('&#60;b&#62;Ann&#60;/b&#62;')
  expect(letter.html).not.toContain('<b>Ann')
  const link = /https:\/\/console\.harbour\.example\/user\/verifyMail\?token=(\S+)/.exec(letter.text ?? '')
  const token = decodeURIComponent(link?.[1] ?? '')
  const checked = await server.call('POST', '/token/check', { body: { token } })
  expect(checked.body.data).toMatchObject({ email: 'ann@example.com' })
  const password = { id: checked.body.data.id, token, password: 'ann-chooses-1', confirmPassword: 'ann-chooses-1' }
  expect((await server.call('POST', '/register/password', { body: password })).status).toBe(200)
  expect((await server.call('POST', '/register/password', { body: password })).status).toBe(401)
  expect(await letters()).toEqual([
    expect.objectContaining({ recipient: 'ann@example.com', state: 'sent', attempts: 1 }),
  ])
  const kept = await server.services.database.pool.query('select secret from mail_outbox')
  expect(kept.rows).toEqual([{ secret: null }])
})

test('a letter waits while the mail server is unreachable, is retried, and is sent once', async () => {
  const { port } = mail
  await mail.close()
  await invite('bob@example.com')
  expect(await sendDue(server.services)).toBe(0)
  expect(await letters()).toEqual([
    expect.objectContaining({ state: 'waiting', attempts: 1, error: expect.stringContaining('ECONNREFUSED') }),
  ])
  // Not before its next attempt is due.
  expect(await sendDue(server.services)).toBe(0)
  mail = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] }, port)
  await timePasses()
  const counts = await Promise.all([sendDue(server.services), sendDue(server.services), sendDue(server.services)])
  expect(counts.reduce((sum, count) => sum + count)).toBe(1)
  expect(mail.letters).toHaveLength(1)
})

test('a letter to an unknown recipient fails at once with the server’s words; resending tries again', async () => {
  mail.refuse.set('gone@example.com', '5.1.1 No such mailbox here')
  await invite('gone@example.com')
  await sendDue(server.services)
  const [letter] = await letters()
  expect(letter).toMatchObject({ state: 'failed', error: expect.stringContaining('No such mailbox here') })
  mail.refuse.clear()
  expect((await asOperator('POST', '/email/letters/resend', { ids: [letter.id] })).status).toBe(200)
  expect(await sendDue(server.services)).toBe(1)
})

test('a letter that is too old to be of use is not sent', async () => {
  await invite('late@example.com')
  await withSystem(server.services.database.db, (db) =>
    db
      .updateTable('mailOutbox')
      .set({ createdAt: new Date(Date.now() - 25 * 3_600_000) })
      .execute(),
  )
  expect(await sendDue(server.services)).toBe(0)
  expect((await letters())[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('too late') })
})

test('STARTTLS is not skipped if it is configured', async () => {
  const plain = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] })
  const answer = await asOperator(
    'POST',
    '/email/test',
    settings({ port: plain.port, encryption: 'starttls', to: 'a@example.com' }),
  )
  expect([answer.body.code, plain.letters.length]).toEqual([101020, 0])
  // A certificate from an untrusted issuer is rejected too.
  const own = await startMailServer({ secure: false })
  const untrusted = await asOperator(
    'POST',
    '/email/test',
    settings({ port: own.port, encryption: 'starttls', to: 'a@example.com' }),
  )
  expect([untrusted.body.code, own.letters.length]).toEqual([101020, 0])
  expect(untrusted.body.extra).toMatch(/certificate/i)
  await Promise.all([plain.close(), own.close()])
})

test('no connection is made to a mail server in a private network', async () => {
  const closed = await makeTestServer({ allowOrigins: [] })
  try {
    const as = await closed.signIn('client', 'operator')
    const answer = await closed.call('POST', '/client/setting/email/test', {
      as,
      body: settings({ to: 'a@example.com' }),
    })
    expect([answer.body.code, mail.letters.length]).toEqual([101020, 0])
    expect(answer.body.extra).toContain('no public address')
  } finally {
    await closed.stop()
  }
})

test('the test returns the bot’s name, or Telegram’s own words if the token is wrong', async () => {
  expect((await asOperator('POST', '/tg/test', { token: botToken })).body.data).toEqual({
    bot: 'harbour_bot',
    isSent: false,
  })
  const wrong = (await asOperator('POST', '/tg/test', { token: '123456789:AAanother_token_that_is_long' })).body
  expect([wrong.code, wrong.extra]).toEqual([101021, 'Unauthorized'])
  expect((await asOperator('PUT', '/tg', { enable: true, token: 'nonsense' })).body.extra).toEqual([
    { field: 'token', reason: 'wrongFormat' },
  ])
  expect((await asOperator('PUT', '/tg', { enable: true, token: botToken })).status).toBe(200)
  expect((await asOperator('GET', '/tg')).body.data).toEqual({ enable: true, token: '', tokenSet: true })
  expect((await asOperator('POST', '/tg/test', {})).body.data).toEqual({ bot: 'harbour_bot', isSent: false })
})

const choose = (as: TokenSet, tier: string, body: object) =>
  server.call('PUT', `/${tier}/setting/notify`, {
    as,
    body: { locale: 'en_US', tg: '', webhook: '', events: {}, ...body },
  })

test('a person is notified once by each chosen channel; the webhook’s signature proves the sender', async () => {
  await withSystem(server.services.database.db, (db) =>
    db.updateTable('accounts').set({ email: 'c@example.com' }).where('account', '=', 'customer').execute(),
  )
  const secret = 'a-secret-of-the-customer'
  const chosen = await choose(customer, 'user', {
    tg: '4711',
    webhook: `${hook.url}/in?key=1`,
    webhookSecret: secret,
    events: { apiTokenCreated: ['email', 'tg', 'webhook'] },
  })
  expect(chosen.status).toBe(200)
  expect((await server.call('GET', '/user/setting/notify', { as: customer })).body.data).toMatchObject({
    email: 'c@example.com',
    tg: '4711',
    webhookSecret: '',
    webhookSecretSet: true,
    available: ['email', 'tg', 'webhook'],
  })
  const made = await server.call('POST', '/apiToken', { as: customer, body: { name: 'deploy <1>' } })
  expect(made.status).toBe(200)
  expect(await sendDue(server.services)).toBe(3)
  expect(mail.letters[0]).toMatchObject({
    subject: 'New API token for your Breakwater account',
    to: [{ address: 'c@example.com' }],
  })
  const message = JSON.parse(telegram.received[0]!.body)
  expect(message).toMatchObject({ chat_id: '4711', text: expect.stringContaining('deploy <1>') })
  const { headers, body, path } = hook.received[0]!
  expect(path).toBe('/in?key=1')
  const signature = createHmac('sha256', secret).update(`${headers['x-breakwater-timestamp']}.${body}`).digest('hex')
  expect(headers['x-breakwater-signature']).toBe(`sha256=${signature}`)
  expect(JSON.parse(body)).toMatchObject({ event: 'apiTokenCreated', values: { token: 'deploy <1>' } })
  expect(body).not.toContain(made.body.data.token)
})

test('a webhook into a private network is rejected at its field, and an event of another console too', async () => {
  const closed = await makeTestServer({ allowOrigins: [] })
  try {
    const as = await closed.signIn('user', 'customer')
    const body = { locale: 'en_US', tg: '', webhook: hook.url, webhookSecret: 'sixteen letters!', events: {} }
    expect((await closed.call('PUT', '/user/setting/notify', { as, body })).body.extra).toEqual([
      { field: 'webhook', reason: 'notPublic' },
    ])
  } finally {
    await closed.stop()
  }
  expect((await choose(customer, 'user', { events: { nodeAway: ['email'] } })).body.extra).toEqual([
    { field: 'events.nodeAway', reason: 'notInThisConsole' },
  ])
})

test('a lock and a sign-in from a new address are notified; first sign-ins and known addresses are not', async () => {
  await choose(customer, 'user', { tg: '4711', events: { accountLocked: ['tg'], signInNewAddress: ['tg'] } })
  const signIn = (password: string, address: string) =>
    server.app.inject({
      method: 'POST',
      url: '/api/v1/user/code',
      payload: { account: 'customer', password },
      remoteAddress: address,
    })
  await signIn('correct-horse-7', '198.51.100.7')
  await signIn('correct-horse-7', '198.51.100.7')
  for (let count = 0; count < 7; count += 1) await signIn('wrong', '203.0.113.9')
  await sendDue(server.services)
  const texts = telegram.received.map(({ body }) => JSON.parse(body).text as string)
  expect(texts).toHaveLength(2)
  expect(texts[0]).toContain('198.51.100.7')
  expect(texts[1]).toContain('203.0.113.9')
})

test('a node that stops reporting is notified once, and so is its return', async () => {
  await choose(operator, 'client', { tg: '99', events: { nodeAway: ['tg'], nodeBack: ['tg'] } })
  const { db } = server.services.database
  await withSystem(db, async (tx) => {
    const zone = await tx.selectFrom('zones').selectAll().executeTakeFirstOrThrow()
    const group = await tx.selectFrom('groups').select('id').where('zoneId', '=', zone.id).executeTakeFirstOrThrow()
    await tx
      .insertInto('nodes')
      .values({
        operatorId: zone.operatorId,
        zoneId: zone.id,
        groupId: group.id,
        name: 'taipei-1',
        sealKey: Buffer.alloc(32),
        certificateSerial: 'x',
        lastSeenAt: sql`now() - interval '5 minutes'` as never,
      })
      .execute()
  })
  await watchNodes(server.services)
  await watchNodes(server.services)
  await withSystem(db, (tx) => tx.updateTable('nodes').set({ lastSeenAt: new Date() }).execute())
  await watchNodes(server.services)
  await sendDue(server.services)
  const texts = telegram.received.map(({ body }) => JSON.parse(body).text as string)
  expect(texts).toEqual([
    expect.stringContaining('taipei-1 is not responding'),
    expect.stringContaining('taipei-1 is back'),
  ])
})

const again = (field: string) => [{ field, reason: 'giveSecretAgain' }]

test('a stored mail password is used only with the server it was stored for, in tests and saves alike', async () => {
  await save()
  const elsewhere = await startMailServer({ secure: false, disabledCommands: ['STARTTLS'] })
  try {
    const { password: _, ...typed } = settings()
    for (const other of [{ port: elsewhere.port }, { host: 'mail.example.net' }, { encryption: 'starttls' }]) {
      const tested = await asOperator('POST', '/email/test', { ...typed, ...other, to: 'me@example.com' })
      expect([tested.body.code, tested.body.extra]).toEqual([101003, again('password')])
      const saved = await asOperator('PUT', '/email', { enable: true, ...typed, ...other })
      expect([saved.body.code, saved.body.extra]).toEqual([101003, again('password')])
    }
    expect(elsewhere.letters).toEqual([])
    expect((await asOperator('GET', '/email')).body.data).toMatchObject({ host: '127.0.0.1', port: mail.port })
    // Settings that do not change who receives it need no password.
    expect((await asOperator('PUT', '/email', { enable: true, ...typed, from: 'new@harbour.example' })).status).toBe(
      200,
    )
    // Without an account no password is sent, so any server may be set; the password is deleted with the account.
    const open = { ...typed, account: '', port: elsewhere.port }
    expect((await asOperator('PUT', '/email', { enable: true, ...open })).status).toBe(200)
    expect((await asOperator('GET', '/email')).body.data).toMatchObject({ passwordSet: false })
  } finally {
    await elsewhere.close()
    await save()
  }
})

test('a webhook’s secret signs for its own address only, also for messages that were queued before', async () => {
  const elsewhere = await startReceiver(() => ({ json: {} }))
  try {
    const events = { apiTokenCreated: ['webhook'] }
    const webhook = `${hook.url}/mine`
    expect((await choose(customer, 'user', { webhook, webhookSecret: 'sixteen letters!', events })).status).toBe(200)
    expect((await choose(customer, 'user', { webhook, events })).status).toBe(200)
    for (const other of [elsewhere.url, `${hook.url}/other`]) {
      const { body } = await choose(customer, 'user', { webhook: other, events })
      expect([body.code, body.extra]).toEqual([101003, again('webhookSecret')])
    }
    await server.call('POST', '/apiToken', { as: customer, body: { name: 'queued' } })
    const moved = { webhook: elsewhere.url, webhookSecret: 'another sixteen letters', events }
    expect((await choose(customer, 'user', moved)).status).toBe(200)
    await sendDue(server.services)
    expect([hook.received, elsewhere.received]).toEqual([[], []])
    // Once the webhook is removed, the secret is gone: setting the address alone does not bring it back.
    expect((await choose(customer, 'user', { events: {} })).status).toBe(200)
    expect((await choose(customer, 'user', { webhook: elsewhere.url })).body.extra).toEqual([
      { field: 'webhookSecret', reason: 'required' },
    ])
  } finally {
    await elsewhere.close()
  }
})
