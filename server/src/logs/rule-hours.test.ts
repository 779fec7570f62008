import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LogServer, startLogServer } from './testing/log-server.ts'

let server: LogServer
const now = Math.floor(Date.now() / 1000)
const hour = 3_600
/** In the middle of its hour, so that a slow test stays within it. */
const inHour = (back: number) => now - back * hour - hour / 2

beforeAll(async () => {
  server = await startLogServer()
  await server.uploadEvents(
    [
      { time: inHour(0), rule: 41, guard: 'denyRules', action: 'block', weight: 3 },
      { time: inHour(0), rule: 41, guard: 'denyRules', action: 'observe' },
      { time: inHour(5), rule: 41, guard: 'denyRules', action: 'challenge' },
      // From a node whose clock is ahead.
      { time: now + 60, rule: 41, guard: 'denyRules', action: 'block' },
      { time: inHour(24), rule: 41, guard: 'denyRules', action: 'block' },
      { time: inHour(23), rule: 42, guard: 'rateRules', action: 'block', weight: 10 },
      { time: inHour(1), rule: 43, guard: 'rateRules', action: 'block' },
      { time: inHour(1), site: server.theirs.site, rule: 41, guard: 'denyRules', action: 'block' },
    ].map((row, at) => ({ ...row, requestId: `row-${at}` })),
  )
})
afterAll(() => server.stop())

const ask = (body: object, as = server.mine.token, tier = 'user') =>
  server.call('POST', `/${tier}/logs/explorer/ruleHours`, { as, body: { siteID: server.mine.site, ...body } })
/** The hours that are not zero, keyed by how many hours ago they were. */
const filled = (hours: number[]) =>
  Object.fromEntries(hours.flatMap((requests, at) => (requests === 0 ? [] : [[hours.length - 1 - at, requests]])))

test('returns each rule’s requests by the hour, whatever the action, and zeros if there were none', async () => {
  const { data } = (await ask({ ruleIDs: [42, 41, 99] })).body
  expect(data.map(({ id, requests }: { id: number; requests: number }) => [id, requests])).toEqual([
    [42, 10],
    [41, 6],
    [99, 0],
  ])
  expect(data.map(({ hours }: { hours: number[] }) => hours.length)).toEqual([24, 24, 24])
  expect(data.map(({ hours }: { hours: number[] }) => filled(hours))).toEqual([{ 23: 10 }, { 0: 5, 5: 1 }, {}])
})

test('a list of more rules than a facet has values is counted completely', async () => {
  const ruleIDs = Array.from({ length: 500 }, (_, at) => 542 - at)
  const { data } = (await ask({ ruleIDs })).body
  expect(data).toHaveLength(500)
  expect(data.at(-1)).toMatchObject({ id: 43, requests: 1 })
})

test('nobody can count on another customer’s site, and the operator can on those of its customers', async () => {
  expect((await ask({ ruleIDs: [41] }, server.theirs.token)).body.code).toBe(101018)
  const theirs = await ask({ siteID: server.theirs.site, ruleIDs: [41, 42] }, server.theirs.token)
  expect(theirs.body.data.map(({ requests }: { requests: number }) => requests)).toEqual([1, 0])
  const { data } = (await ask({ ruleIDs: [41] }, server.operator, 'client')).body
  expect(data[0].requests).toBe(6)
})
