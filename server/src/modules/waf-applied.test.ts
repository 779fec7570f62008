/** When exceptions of a WAF module last applied, through the API and the real event store. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'
import { openShops, type Shop } from './testing/shops.ts'

let server: LogServer
let shop: Shop
let other: Shop
let module: number
let ids: number[]
const now = Math.floor(Date.now() / 1000)
const day = 86_400
const names = ['often', 'long ago', 'never', 'new', 'off', 'ended', 'of answers'] as const
const place = () => `${shop.of}/module/waf/${module}`

beforeAll(async () => {
  server = await startLogServer()
  const shops = openShops(server, server.mine.token)
  shop = await shops.make('guarded')
  other = await shops.make('beside')
  module = (await shops.must('POST', `${shop.of}/module/wafs`, { modules: [{ name: 'shop' }] })).ids[0]
  await shops.must('PUT', `${shop.of}/domains/module/waf`, { domainIDs: [shop.domain], moduleID: module })
  const said = { off: { enabled: false }, ended: { expiresAt: '2020-01-01T00:00:00Z' } } as Record<string, object>
  const items = names.map((name) => ({ ruleID: 941100, name, ...said[name] }))
  ids = (await shops.must('POST', `${place()}/rules`, { items })).ids
  await sinceDays(
    8,
    ids.filter((_, at) => names[at] !== 'new'),
  )
})
afterAll(() => server.stop())

const sinceDays = (days: number, of: number[]) =>
  server.services.database.pool.query(
    'update rules set updated_at = $1, told_since = $1, created_at = $1 where id = any($2)',
    [new Date((now - days * day) * 1000), of],
  )
type Applied = { id: number; appliedAt: string | null; isIdle: boolean }
async function ask(as = server.mine.token) {
  const { body } = await server.call('GET', `${place()}/exclusions`, { as })
  return (body.data as Applied[]).map(({ id, appliedAt, isIdle }) => [names[ids.indexOf(id)], appliedAt, isIdle])
}
const moment = (time: number) => new Date(time * 1000).toISOString()
const idle = async () => (await ask()).flatMap(([name, , isIdle]) => (isIdle === true ? [name] : []))

test('no exception is reported as idle while the log does not reach back far enough', async () => {
  expect(await ask()).toEqual(names.map((name) => [name, null, false]))
  await row(now - 60, '')
  expect(await idle()).toEqual([])
})

let rows = 0
const row = (time: number, waf: string, said: object = {}) =>
  server.uploadEvents([
    { time, waf, requestId: `row-${++rows}`, site: shop.site, domain: 'guarded.example.com', ...said },
  ])
const word = (name: (typeof names)[number]) => `except:${ids[names.indexOf(name)]}`

test('an exception reports when it last applied, and that it did not for a week', async () => {
  await row(now - 20 * day, '')
  await row(now - 3 * day, word('often'))
  await row(now - 120, `941100:5:ARGS:a ${word('often')} ${word('of answers')}`)
  await row(now - 12 * day, word('long ago'))
  // Text written by visitors, unbound hosts, and other customers' sites must not count.
  await row(now - 60, `941100:5:ARGS:${word('never')}`)
  await row(now - 60, word('never'), { domain: 'unbound.example.com' })
  await row(now - 60, word('never'), { site: other.site, domain: 'beside.example.com' })
  expect(await ask()).toEqual([
    ['often', moment(now - 120), false],
    ['long ago', moment(now - 12 * day), true],
    ['never', null, true],
    ['new', null, false],
    ['off', null, false],
    ['ended', null, false],
    ['of answers', moment(now - 120), false],
  ])
})

test('exceptions that were changed, or were not logged before, are not idle for a week', async () => {
  await server.services.database.pool.query('update rules set told_since = now() where id = any($1)', [ids])
  expect(await idle()).toEqual([])
  await sinceDays(8, ids)
  expect(await idle()).toEqual(['long ago', 'never', 'new'])
  const { pool } = server.services.database
  await pool.query('update rules set updated_at = now() where id = $1', [ids[2]])
  expect(await idle()).toEqual(['long ago', 'new'])
})

test('requests with nothing but an exception in the log do not count as WAF matches', async () => {
  const span = { startTime: now - day, endTime: now + 60 }
  const { body } = await server.call('POST', '/user/logs/waf', { as: server.mine.token, body: span })
  expect(body.data.map(({ waf }: { waf: string }) => waf.split(':')[0])).toEqual(['941100', '941100'])
})

test('another customer gets nothing', async () => {
  const { body } = await server.call('GET', `${place()}/exclusions`, { as: server.theirs.token })
  expect(body.code).toBe(101018)
})
