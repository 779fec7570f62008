import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { watchPace } from '../../../tests/harness/pace.ts'
import { makePerson, signInPerson } from '../testing/people.ts'
import { type LogServer, startLogServer } from './testing/log-server.ts'

let server: LogServer
let origin: string
beforeAll(async () => {
  server = await startLogServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
})
afterAll(() => server.stop())

const ok = async (method: string, path: string, as: TokenSet, body?: object) => {
  const reply = await server.call(method, path, { as, ...(body ? { body } : {}) })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${JSON.stringify(reply.body)}`)
  return reply.body.data
}
const bearer = (as: TokenSet) => ({ authorization: `Bearer ${as.accessToken}` })

const watching: AbortController[] = []
afterEach(() => {
  for (const controller of watching.splice(0)) controller.abort()
})

/** What a watcher received: the server sends the lag once a second. */
type Stream = { ended: boolean; parts: number }
async function watch(as: TokenSet): Promise<Stream> {
  const controller = new AbortController()
  watching.push(controller)
  const address = `${origin}/api/v1/user/logs/access/live?filter=%7B%7D`
  const response = await fetch(address, { headers: bearer(as), signal: controller.signal })
  expect(response.status).toBe(200)
  const stream: Stream = { ended: false, parts: 0 }
  const reader = response.body!.getReader()
  const read = async () => {
    while (!(await reader.read()).done) stream.parts += 1
  }
  read()
    .catch(() => {})
    .finally(() => {
      stream.ended = true
    })
  return stream
}

let people = 0
/** A person of the customer who may read logs. */
async function reader(body: object = { allSites: true }): Promise<{ id: number; account: string; as: TokenSet }> {
  const account = `reader-${++people}`
  const options = { console: 'user', as: server.mine.token, permissions: ['logs.read', 'sites.read'], body } as const
  const id = await makePerson(server, account, options)
  return { id, account, as: await signInPerson(server, 'user', account) }
}
const target = (id: number) => ({ id, auth: 'user' })

/** Each entry: who watches, and what revokes their right to it. */
const ways: Record<string, () => Promise<{ as: TokenSet; end: () => Promise<unknown> }>> = {
  async 'the person signs out'() {
    const { as } = await reader()
    const { accessToken, refreshToken } = as
    return { as, end: () => ok('DELETE', '/user', as, { accessToken, refreshToken }) }
  },
  async 'the account is paused'() {
    const { as, id } = await reader()
    return { as, end: () => ok('PUT', '/user/account', server.mine.token, { ...target(id), status: 0 }) }
  },
  async 'the account is locked'() {
    const { as, id } = await reader()
    return { as, end: () => ok('PUT', '/user/account', server.mine.token, { ...target(id), status: 2 }) }
  },
  async 'the account comes to its end'() {
    const { as, id } = await reader()
    const end = () =>
      server.services.database.pool.query(
        "update accounts set ends_at = now() + interval '200 milliseconds' where id = $1",
        [id],
      )
    return { as, end }
  },
  async 'the account is removed'() {
    const { as, id } = await reader()
    return { as, end: () => ok('DELETE', '/user/account', server.mine.token, target(id)) }
  },
  async 'the password is set by another'() {
    const { as, id } = await reader()
    const body = { ...target(id), password: 'set-by-parent-2', confirmPassword: 'set-by-parent-2' }
    return { as, end: () => ok('PUT', '/user/account/password', server.mine.token, body) }
  },
  async 'the role is taken away'() {
    const { as, id } = await reader()
    return { as, end: () => ok('PUT', '/user/account', server.mine.token, { ...target(id), roleIDs: [] }) }
  },
  async 'the role loses the permission'() {
    const { as, id } = await reader()
    const end = () =>
      server.services.database.pool.query(
        `update roles set permissions = '{sites.read}' where id = (select role_id from account_roles where account_id = $1)`,
        [id],
      )
    return { as, end }
  },
  async 'the grant of the site is taken away'() {
    const { as, id } = await reader({ allSites: false })
    const grant = { siteIDs: [server.mine.site], userIDs: [id] }
    await ok('PATCH', '/user/site/users', server.mine.token, grant)
    return { as, end: () => ok('DELETE', '/user/site/users', server.mine.token, grant) }
  },
  async 'the API token is revoked'() {
    const made = await ok('POST', '/apiToken', server.mine.token, { name: `watcher ${++people}` })
    const as: TokenSet = { accessToken: made.token, refreshToken: '', tokenType: 'Bearer' }
    return { as, end: () => ok('DELETE', '/apiTokens', server.mine.token, { ids: [made.id] }) }
  },
  async 'the API token comes to its end'() {
    const made = await ok('POST', '/apiToken', server.mine.token, { name: `watcher ${++people}` })
    const as: TokenSet = { accessToken: made.token, refreshToken: '', tokenType: 'Bearer' }
    const end = () =>
      server.services.database.pool.query(
        "update api_tokens set expires_at = now() + interval '200 milliseconds' where id = $1",
        [made.id],
      )
    return { as, end }
  },
  async 'the one who acts for the account stops'() {
    const as = await actFor((await reader()).id)
    const { accessToken, refreshToken } = as
    return { as, end: () => ok('DELETE', '/user', as, { accessToken, refreshToken }) }
  },
  async 'the one who acts for the account is locked'() {
    const deputy = `deputy-${++people}`
    const options = { console: 'client', as: server.operator, permissions: ['accounts.write'] } as const
    const id = await makePerson(server, deputy, options)
    const as = await actFor((await reader()).id)
    await server.services.database.pool.query(
      'update sessions set actor_account_id = $1 where id = (select max(id) from sessions)',
      [id],
    )
    return { as, end: () => ok('PUT', '/client/account', server.operator, { id, auth: 'client', status: 2 }) }
  },
}

async function actFor(id: number): Promise<TokenSet> {
  const { code } = await ok('POST', '/client/proxy', server.operator, { id, auth: 'user', reason: 'ticket 7' })
  return ok('POST', '/user/switchUser', server.operator, { code })
}

test.each(Object.keys(ways))('a stream ends within two seconds once %s, and nobody else’s does', async (way) => {
  const { as, end } = await ways[way]!()
  const [stream, another] = [await watch(as), await watch(server.theirs.token)]
  await end()
  const [heard, pace] = [another.parts, watchPace()]
  await vi.waitUntil(() => stream.ended)
  // Measured by the server's own clock, which a loaded machine slows down too: the other stream gets an event each
  // second.
  expect(another.parts - heard).toBeLessThanOrEqual(pace.within(3_000) / 1_000)
  pace.stop()
  expect(another.ended).toBe(false)
})

test('a stream continues when its session exchanges its tokens', async () => {
  const { as } = await reader()
  const stream = await watch(as)
  const { accessToken, refreshToken } = as
  const fresh = (await server.call('PATCH', '/user', { body: { accessToken, refreshToken } })).body.data
  await server.services.database.pool.query(
    "update session_tokens set replaced_at = now() - interval '1 hour' where replaced_at is not null",
  )
  const before = stream.parts
  await vi.waitUntil(() => stream.parts > before + 3 || stream.ended)
  expect(stream.ended).toBe(false)
  expect((await server.call('GET', '/user/sites', { as: fresh })).status).toBe(200)
})

test('an export that is still being written is cut within two seconds, too', async () => {
  const { as, id } = await reader()
  // Many rows and a reader that stops reading: the export cannot finish before the right to it is revoked.
  const now = Date.now() / 1000
  for (let batch = 0; batch < 8; batch += 1) {
    await server.uploadEvents(
      Array.from({ length: 5_000 }, (_, i) => ({
        time: now - batch,
        requestId: `big-${batch}-${i}`,
        userAgent: 'x'.repeat(900),
      })),
    )
  }
  const span = { startTime: Math.floor(now) - 60, endTime: Math.floor(now) + 60 }
  const response = await new Promise<IncomingMessage>((done, failed) => {
    const headers = { ...bearer(as), 'content-type': 'application/json' }
    const ask = request(`${origin}/api/v1/user/logs/explorer/export`, { method: 'POST', headers, agent: false }, done)
    ask.on('error', failed)
    ask.end(JSON.stringify(span))
  })
  expect(response.statusCode).toBe(200)
  await ok('PUT', '/user/account', server.mine.token, { ...target(id), status: 2 })
  await vi.waitUntil(async () => {
    const { rows } = await server.services.database.pool.query(
      'select 1 from log_exports where account_id = $1 and ended_at is null',
      [id],
    )
    return rows.length === 0
  })
  // Only now is it read: what had been sent arrives, and then the connection breaks off.
  let bytes = 0
  const read = async () => {
    for await (const chunk of response) bytes += (chunk as Buffer).length
  }
  await expect(read()).rejects.toThrow()
  expect(bytes).toBeGreaterThan(10_000)
})
