/** The statistics as calls: envelopes, refusals, and whose numbers they are. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from '../logs/testing/log-server.ts'

let server: LogServer
const now = Math.floor(Date.now() / 1000)
const span = { startTime: now - 3_600, endTime: now }

beforeAll(async () => {
  server = await startLogServer()
  await server.ship([
    { time: now - 1_000, weight: 10 },
    { time: now - 1_000, action: 'block', cause: 903, status: 403, guard: 'denyRules', address: '198.51.100.7' },
    { time: now - 1_000, site: server.theirs.site, weight: 1_000, country: 'DE' },
  ])
})
afterAll(() => server.stop())

const ask = (name: string, body: object, as = server.mine.token, tier = 'user') =>
  server.call('POST', `/${tier}/statistics/${name}`, { as, body: { ...span, ...body } })

test('cards come under their types', async () => {
  const { body } = await ask('info', { type: [3, 4, 5, 14, 15] })
  expect(body.data['3']).toMatchObject({ requests: 11, pass: 10, drop: 1, traffic: 11_000 })
  expect(body.data['4']).toEqual({ addresses: 2, refused: 1 })
  expect(body.data['5']).toMatchObject({ 200: 10, 903: 1, 403: 0 })
  expect(body.data['14']).toEqual({ requests: 1, traffic: 1_000 })
  expect(body.data['15']).toMatchObject({ requests: 1, denyList: 1 })
})

test('a series has a point for every step', async () => {
  const { body } = await ask('timeSeries', { type: 2 })
  expect(body).toMatchObject({ total: 12, minutesStep: 5 })
  expect(body.data).toHaveLength(12)
  expect(body.data.filter((point: { value: { pass: number } }) => point.value.pass > 0)).toHaveLength(1)
})

test('a top list names and counts', async () => {
  expect((await ask('top', { type: 11 })).body).toEqual({ data: [{ name: 'TW', value: 11 }], total: 1 })
  expect((await ask('top', { type: 25 })).body.data).toEqual([{ name: '198.51.100.7', value: 1 }])
  expect((await ask('top', { type: 12 })).body).toEqual({ data: [], total: 0 })
})

test('another’s site is refused, its numbers are in none of one’s own', async () => {
  for (const [name, type] of [
    ['info', 3],
    ['timeSeries', 2],
    ['top', 11],
  ] as const) {
    for (const scope of [{ siteIDs: [server.theirs.site] }, { siteIDs: [999_999] }, { domainIDs: [999_999] }]) {
      const { status, body } = await ask(name, { type, ...scope })
      expect([status, body.code]).toEqual([403, 101018])
    }
  }
  const operator = await ask('info', { type: 3 }, server.operator, 'client')
  expect(operator.body.data['3'].requests).toBe(1_011)
})

test('what cannot be asked is refused at its field', async () => {
  expect((await ask('timeSeries', { type: 14 })).status).toBe(400)
  expect((await ask('top', { type: 11, countType: 'bits' })).body.extra).toEqual([
    { field: 'countType', reason: 'wrongFormat' },
  ])
  expect((await ask('info', { type: 3, startTime: now, endTime: now })).body.extra).toEqual([
    { field: 'endTime', reason: 'wrongFormat' },
  ])
  expect((await ask('timeSeries', { type: 2, minutesStep: 7 })).status).toBe(400)
})
