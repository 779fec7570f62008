import { createServer } from 'node:net'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { buildApp } from '../app.ts'
import { openDatabase } from '../db/database.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { makeApp } from './app.ts'
import { bodyOfSeveral } from './removals.ts'

let server: TestServer
let as: TokenSet
let site: string

beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  site = `/user/site/${await server.makeSite(as, 'answers')}`
})
afterAll(() => server.stop())

const upstreams = [{ ip: '127.0.0.1', port: 3000 }]
const idsOf = async (list: string): Promise<number[]> =>
  (await server.call('GET', `${list}?pageSize=100`, { as })).body.data.map((row: { id: number }) => row.id)

describe('while the database restarts', () => {
  const app = makeApp(pino({ level: 'silent' }))
  afterAll(() => app.close())

  test('a call gets 503 with Retry-After, whether its connection is closed or none is available', async () => {
    const closed = createServer()
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as { port: number }
    await new Promise((resolve) => closed.close(resolve))
    const away = openDatabase(`postgres://nobody@127.0.0.1:${port}/none`)
    const there = openDatabase(server.services.env.databaseUrl)
    app.get('/away', async () => (await sql`select 1`.execute(away.db)).rows)
    app.get('/ended', async () => (await sql`select pg_terminate_backend(pg_backend_pid())`.execute(there.db)).rows)
    for (const url of ['/away', '/ended']) {
      const reply = await app.inject(url)
      expect([reply.statusCode, reply.json().code, reply.headers['retry-after']], url).toEqual([503, 101005, '2'])
    }
    await Promise.all([away.close(), there.close()])
  })
})

test('calls of a session above its budget get 429 with a code of the catalogue and Retry-After', async () => {
  const app = await buildApp(server.services, { checksReplies: true })
  // A budget refills over time: on a slow enough machine nobody would ever exceed it.
  vi.useFakeTimers({ toFake: ['Date'] })
  const call = {
    url: '/api/v1/user/account/self',
    headers: { authorization: `Bearer ${as.accessToken}` },
  }
  const replies = await Promise.all(Array.from({ length: 140 }, () => app.inject(call))).finally(() =>
    vi.useRealTimers(),
  )
  const refused = replies.filter(({ statusCode }) => statusCode === 429)
  expect([refused.length, refused[0]?.headers['retry-after']]).toEqual([39, '1'])
  expect(refused[0]?.json()).toMatchObject({ code: 101002, message: 'too many requests' })
  await app.close()
})

test('details describe a refusal in one shape, whatever the type of its extra', async () => {
  const operator = await server.signIn('client', 'operator')
  const anew = await server.signIn('user', 'customer')
  const list = await server.call('POST', `${site}/firewall/l7/secondRates`, { as: anew, body: { urlRegex: '' } })
  expect(list.body.details).toContainEqual({ field: 'urlRegex', reason: 'required' })
  const text = await server.call('PUT', '/offline/license', { as: operator, body: { key: 'none' } })
  expect(text.body).toMatchObject({
    extra: 'invalid license key',
    details: [{ field: '', reason: 'invalid license key' }],
  })
})

test('a POST returns the ids it created, in order', async () => {
  as = await server.signIn('user', 'customer')
  const names = ['a.answers.test', 'b.answers.test']
  const domains = await server.call('POST', `${site}/domains`, {
    as,
    body: { domains: names.map((name) => ({ name, upstreams })) },
  })
  const listed = (await server.call('GET', `${site}/domains?pageSize=100`, { as })).body.data
  const idOf = (name: string) => listed.find((row: { name: string }) => row.name === name).id
  expect(domains.body.data.ids).toEqual(names.map(idOf))

  const origins = `${site}/domain/${domains.body.data.ids[0]}/upstreams`
  const before = await idsOf(origins)
  const more = await server.call('POST', origins, { as, body: { upstreams: [{ ip: '127.0.0.2', port: 1 }] } })
  expect(await idsOf(origins)).toEqual([...before, ...more.body.data.ids])

  const modules = await server.call('POST', `${site}/module/customHeaders`, {
    as,
    body: { modules: [{ name: 'headers' }] },
  })
  const headers = `${site}/module/customHeader/${modules.body.data.ids[0]}/headers`
  const items = [
    { type: 'response', key: 'X-One', value: '1' },
    { type: 'response', key: 'X-Two', value: '2' },
  ]
  const made = await server.call('POST', headers, { as, body: { items } })
  expect(made.body.data.ids, JSON.stringify(made.body)).toEqual(await idsOf(headers))
})

test('everything that can be removed by id had its id returned when it was created', () => {
  const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])
  const fieldsOf = (schema: unknown) => Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
  const removed = endpoints
    .filter(({ method, body }) => method === 'DELETE' && fieldsOf(body).some((field) => /^ids?$/.test(field)))
    .map(({ path }) => path.replace(/s$/, ''))
  const silent = endpoints
    .filter(({ method, audit, path }) => method === 'POST' && audit && removed.includes(path.replace(/s$/, '')))
    .filter(({ reply }) => !fieldsOf(reply).some((field) => /^ids?$/.test(field)))
  expect(silent.map(({ id }) => id)).toEqual([])
})

test('what was removed from one’s own site gets 404; another’s is refused as if it never existed', async () => {
  await server.makeCustomer('neighbour-of-answers')
  const neighbour = await server.signIn('user', 'neighbour-of-answers')
  const rule = { urlRegex: '^/', rate: 5, burst: 10, blockType: 1 }
  const rules = `${site}/firewall/l7/secondRates`
  const { id } = (await server.call('POST', rules, { as, body: rule })).body.data
  await server.call('DELETE', rules, { as, body: { ids: [id] } })
  const change = (who: TokenSet, from = site) =>
    server.call('PUT', `${from}/firewall/l7/secondRate`, { as: who, body: { id, ...rule } })
  expect([(await change(as)).status, (await change(neighbour)).status]).toEqual([404, 403])
  expect((await server.call('PUT', rules, { as, body: { ids: [id], enabled: false } })).status).toBe(404)
  expect((await server.call('GET', `${site}/domain/999999/upstreams`, { as })).status).toBe(404)
  expect((await server.call('GET', `${site}/domain/999999/antiHeaders`, { as })).status).toBe(404)
  const check = await server.call('PUT', `${site}/domains/checkCNAME`, { as, body: { ids: [999_999] } })
  expect(check.status).toBe(404)

  const removed = await server.makeSite(as, 'removed')
  await server.call('DELETE', '/user/site', { as, body: { siteID: removed, siteName: 'removed' } })
  expect((await change(as, `/user/site/${removed}`)).status).toBe(404)
  expect((await change(neighbour, `/user/site/${removed}`)).status).toBe(403)
})

test('every removal of items takes ids, even if specified with one id: all of them or none', async () => {
  const operator = await server.signIn('client', 'operator')
  const body = (title: string) => ({ texts: { en_US: { title, content: 'x' } } })
  const make = async (title: string) => {
    const made = await server.call('POST', '/client/setting/announcement', { as: operator, body: body(title) })
    expect(made.status, JSON.stringify(made.body)).toBe(200)
    return made.body.data.id as number
  }
  const ids = [await make('one'), await make('two')]
  const list = async (): Promise<number[]> =>
    (await server.call('GET', '/client/setting/announcements', { as: operator })).body.data.map(
      (row: { id: number }) => row.id,
    )
  expect(await list()).toEqual(expect.arrayContaining(ids))
  const removal = await server.call('DELETE', '/client/setting/announcement', { as: operator, body: { ids } })
  expect(removal.status, JSON.stringify(removal.body)).toBe(200)
  expect(await list()).toEqual([])
  const single = Object.values(api)
    .flatMap((group) => Object.values(group) as AnyEndpoint[])
    .filter((endpoint) => bodyOfSeveral(endpoint))
    .map(({ path }) => path)
  expect(single).toEqual(
    expect.arrayContaining(['/:tier/account', '/client/setting/logo', '/client/zone/:zoneId/node']),
  )
  for (const path of single) {
    const at = path.replace('/:tier', '/client').replace(/:\w+/, '1')
    const as = at.startsWith('/admin') ? await server.signIn('admin', 'vendor') : operator
    const { body: answer } = await server.call('DELETE', at, { as, body: { ids: [999_999], auth: 'user' } })
    expect(JSON.stringify(answer), path).not.toMatch(/"field":"ids?"/)
  }
})
