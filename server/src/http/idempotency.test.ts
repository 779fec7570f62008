import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sweep } from '../jobs/sweep.ts'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import { keepsResult } from './idempotency.ts'

let server: TestServer
let as: TokenSet
let path: string

beforeAll(async () => {
  server = await makeTestServer()
  as = await server.signIn('user', 'customer')
  path = `/user/site/${await server.makeSite(as, 'idempotent')}/firewall/l7/secondRates`
})
afterAll(() => server.stop())

const rule = (urlRegex: string) => ({ urlRegex, rate: 5, burst: 10, blockType: 1 })
const post = (key: string, body: unknown, where = path, who = as) =>
  server.call('POST', where, { as: who, body, headers: { 'idempotency-key': key } })
const query = async (text: string) => (await server.services.database.pool.query(text)).rows
const countOf = async (urlRegex: string): Promise<number> => {
  const { data } = (await server.call('GET', `${path}?pageSize=500`, { as })).body
  return data.filter((row: { urlRegex: string }) => row.urlRegex === urlRegex).length
}

test('a repeated POST with the same key returns the first result and does nothing again', async () => {
  const first = await post('again', rule('^/again'))
  const second = await post('again', rule('^/again'))
  expect([first.status, second.status]).toEqual([200, 200])
  expect(second.body).toEqual(first.body)
  expect([first.headers['idempotency-replayed'], second.headers['idempotency-replayed']]).toEqual([undefined, 'true'])
  expect(await countOf('^/again')).toBe(1)
})

test('twenty concurrent uses of one key give one result', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => post('at-once', rule('^/at-once'))))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
  expect(await countOf('^/at-once')).toBe(1)
})

test('the same key with a different body or call is refused and changes nothing', async () => {
  await post('other', rule('^/other'))
  const another = await post('other', rule('^/another'))
  expect([another.status, another.body.code]).toEqual([422, 101003])
  expect(another.body.details).toEqual([{ field: 'Idempotency-Key', reason: 'duplicatedData' }])
  const denied = { urlRegex: '^/other', ips: ['198.51.100.1'] }
  expect((await post('other', denied, path.replace('secondRates', 'blacklists'))).status).toBe(422)
  expect(await countOf('^/another')).toBe(0)
})

test('keys are per caller: another account and another token have their own', async () => {
  await server.makeCustomer('idempotent-neighbour')
  const neighbour = await server.signIn('user', 'idempotent-neighbour')
  const theirs = `/user/site/${await server.makeSite(neighbour, 'theirs')}/firewall/l7/secondRates`
  const token = (await post('token', { name: 'robot', permissions: ['firewall.write'] }, '/apiToken')).body.data
  const robot = { ...as, accessToken: token.token }
  const ids = [
    await post('mine', rule('^/mine')),
    await post('mine', rule('^/mine'), theirs, neighbour),
    await post('mine', { ...rule('^/mine'), memo: 'by a robot' }, path, robot),
  ].map(({ body }) => body.data.id)
  expect(new Set(ids).size).toBe(3)
})

test('a failed call leaves its key free, with one transaction or several', async () => {
  const wrong = await post('failed', rule('^/failed'), '/user/site/999999/firewall/l7/secondRates')
  expect(wrong.status).toBe(403)
  expect((await post('failed', rule('^/failed'))).status).toBe(200)
  // Nobody has configured a notification channel.
  const test = (channel: string) => post('failed-open', { channel }, '/user/setting/notify/test')
  expect((await test('email')).status).toBe(400)
  expect((await test('tg')).body.details).not.toEqual([{ field: 'Idempotency-Key', reason: 'duplicatedData' }])
})

test('a call still running in another process gives 409, and loses its key after ten minutes', async () => {
  await post('running', rule('^/running'))
  await query(`update idempotency_keys set result = null where key = 'running'`)
  const refused = await post('running', rule('^/running'))
  expect([refused.status, refused.body.code, refused.headers['retry-after']]).toEqual([409, 101025, '1'])
  await query(`update idempotency_keys set created_at = now() - interval '11 minutes' where key = 'running'`)
  expect((await post('running', rule('^/running-again'))).status).toBe(200)
})

test('a token that is shown once is shown again to a repeated call, and is never stored in the clear', async () => {
  const body = { name: 'shown once', permissions: ['sites.read'] }
  const first = (await post('secret', body, '/apiToken')).body.data
  expect((await post('secret', body, '/apiToken')).body.data).toEqual(first)
  const [row] = await query(`select result from idempotency_keys where key = 'secret'`)
  expect(row.result.includes(first.token)).toBe(false)
})

test('a result is kept for a day', async () => {
  await post('old', rule('^/old'))
  await query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`)
  expect((await post('old', rule('^/new'))).status).toBe(200)
  await query(`update idempotency_keys set created_at = now() - interval '25 hours' where key = 'old'`)
  expect((await sweep(server.services)).idempotencyKeys).toBe(1)
  expect(await query(`select from idempotency_keys where key = 'old'`)).toEqual([])
})

test('only sign-ins, reads, files and calls that are idempotent anyway take no key', () => {
  const without = Object.values(api)
    .flatMap((group) => Object.values(group) as AnyEndpoint[])
    .filter((endpoint) => endpoint.method === 'POST' && !keepsResult(endpoint))
  const isNobodys = ({ can }: AnyEndpoint) => can === 'public'
  const isFile = ({ kind }: AnyEndpoint) => kind === 'raw' || kind === 'stream'
  const asks = /read$|logs\.explain/
  const others = without.filter((endpoint) => !isNobodys(endpoint) && !isFile(endpoint) && !asks.test(endpoint.can))
  expect(others.map(({ id }) => id).sort()).toEqual([
    // A second factor is always asked for again, never answered from a store.
    'auth.verify',
    // Probes an address and stores nothing.
    'site.origin.probe',
    // Marking as read twice is the same as once.
    'user.announcements.read',
    'user.origin.find',
    // Reads what was pasted and creates nothing.
    'user.sites.import.draft',
  ])
})

test('invalid keys are rejected', async () => {
  for (const key of ['', 'with space', 'x'.repeat(256)]) {
    const { status, body } = await post(key, rule('^/no-key'))
    expect([status, body.code, body.extra[0].field], key).toEqual([400, 101003, 'Idempotency-Key'])
  }
})
