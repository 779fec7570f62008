/** Cards, ranks and columns over past days: the same before and after these are closed, and with late rows. */
import { readFileSync } from 'node:fs'
import type { CounterRow, RequestRow } from '@breakwater/contract/edge/events.ts'
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeDays } from '../events/close-days.ts'
import { makeIngest } from '../events/ingest.ts'
import { rebuildHour } from '../events/rebuild-hour.ts'
import type { EventScope } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { makeCounter, makeTraffic, ndjson } from '../events/testing/make-rows.ts'
import { makeTenants, type TestTenants } from '../events/testing/make-tenants.ts'
import type { Services } from '../process/services.ts'
import { makeTestServices } from '../testing/server.ts'
import { answerCards } from './cards.ts'
import { makeCountedSince } from './counted-since.ts'
import { cardsQuestion, rankQuestion, topQuestion } from './question.ts'
import { answerRanks } from './ranks.ts'
import { answerTop } from './tops.ts'

const day = 86_400
// Noon: this test does not depend on whether the day that just ended is complete.
const today = Math.floor(Date.now() / (day * 1000)) * day
const start = (today + day / 2) * 1000
const days = [5, 4, 3, 2, 1].map((ago) => today - ago * day)
const range = { from: days[0]! - 7 * 3_600 + 300, to: Math.floor(start / 300_000) * 300 }

let stores: Services
let stop: () => Promise<void>
let tenants: TestTenants
const rows: RequestRow[] = []
let sequence = 0

/** Sets only the clock of ingest and closing, which are compared with each other. */
const clock = (seconds: number) => vi.setSystemTime(start + seconds * 1000)

async function uploadEvents(count: number, span: { from: number; to: number }) {
  const { nodeId, zoneId, groupId, customers } = tenants
  const sites = customers.flatMap((customer) => customer.siteIds)
  const traffic = makeTraffic(count, { ...span, sites, seed: ++sequence })
  const uploaded = traffic.map((row) => ({ ...row, node: nodeId, zone: zoneId }))
  const batch = { kind: 'requests' as const, boot: '0123456789abcdef', sequence, rows: count }
  await makeIngest(stores.database.db, stores.events)({ nodeId, zoneId, groupId }, batch, '', ndjson(uploaded))
  rows.push(...uploaded)
}

async function uploadCounters(uploaded: Partial<CounterRow>[]) {
  const { nodeId, zoneId, groupId, customers } = tenants
  const known = { node: nodeId, zone: zoneId, site: customers[0]!.siteIds[0]! }
  const batch = { kind: 'counters' as const, boot: '0123456789abcdef', sequence: ++sequence, rows: uploaded.length }
  const body = ndjson(uploaded.map((row) => makeCounter({ ...known, ...row })))
  await makeIngest(stores.database.db, stores.events)({ nodeId, zoneId, groupId }, batch, '', body)
}

beforeAll(async () => {
  const made = await makeTestServices()
  stores = made.services
  stop = made.stop
  tenants = await makeTenants(stores.database.db, 'days', 2, 2)
  vi.useFakeTimers({ toFake: ['Date'] })
  clock(0)
  await uploadEvents(3_000, { from: days[0]! - day / 2, to: range.to })
})
afterAll(async () => {
  vi.useRealTimers()
  await stop()
})

/**
 * The answers to all queries as one comparable value: for everything, one zone, one host, and requests that were not
 * refused.
 */
async function answers() {
  const sites = tenants.customers.flatMap((customer) => customer.siteIds)
  const whole = { sites, domains: null, zones: null }
  const host = `www.site${sites[0]}.example.com`
  const paging = { page: 1, pageSize: 50, type: 1, sortBy: 'reqCount', orderBy: 'desc' } as const
  const asked: [EventScope, object][] = [
    [whole, {}],
    [{ ...whole, zones: [tenants.zoneId] }, {}],
    [{ ...whole, domains: [host] }, {}],
    [whole, { host: [host] }],
    [whole, { not: { action: ['block'] } }],
  ]
  return Promise.all(
    asked.map(async ([scope, lists]) => {
      const times = { startTime: range.from * 1000, endTime: range.to * 1000 }
      const body = { siteIDs: [], domainIDs: [], zoneIDs: [], filter: StatisticsFilter.parse(lists), ...times }
      const events = stores.events
      return {
        cards: await answerCards(events, cardsQuestion({ ...body, type: [3, 4, 5, 14, 15] }, scope, start)),
        ranks: await answerRanks(events, rankQuestion({ ...body, ...paging }, scope, start)),
        codes: await answerTop(
          events,
          topQuestion({ ...body, type: 104, top: 20, countType: 'reqCount' }, scope, start),
        ),
      }
    }),
  )
}
const counted = () =>
  rows.filter((row) => row.time >= range.from && row.time < range.to).reduce((sum, { weight }) => sum + weight, 0)
const closedNow = async () =>
  (
    await queryRows<{ day: number }>(
      stores.events,
      'SELECT toUnixTimestamp(time) AS day FROM days_closed_v1 GROUP BY time HAVING argMax(build, at) > 0 ORDER BY day',
      {},
    )
  ).map((row) => row.day)

test('answers about days are the same before and after the days are closed', async () => {
  const open = await answers()
  expect(open[0]!.cards[3]!.requests).toBe(counted())
  clock(70)
  expect(await closeDays(stores.events, Date.now(), 4)).toEqual(days.slice(1).reverse())
  expect(await closeDays(stores.events, Date.now() + 10)).toEqual([days[0]!, days[0]! - day])
  expect(await closeDays(stores.events, Date.now() + 20)).toEqual([])
  expect(await answers()).toEqual(open)
})

test('late rows count at once, and still only once after their day is closed again', async () => {
  const late = days[2]!
  for (const again of [1, 2]) {
    clock(70 + again * 100)
    await uploadEvents(300, { from: late, to: late + day })
    expect(await closedNow()).not.toContain(late)
    const open = await answers()
    expect(open[0]!.cards[3]!.requests).toBe(counted())
    clock(140 + again * 100)
    expect(await closeDays(stores.events, Date.now())).toEqual([late])
    expect(await answers()).toEqual(open)
  }
  const builds = await queryRows<{ day: number; builds: number }>(
    stores.events,
    'SELECT toUnixTimestamp(time) AS day, uniqExact(build) AS builds FROM requests_per_day_v1 GROUP BY time HAVING day = {late:UInt32}',
    { late },
  )
  expect(builds).toEqual([{ day: late, builds: 2 }])
})

test('a closed day is read as it was closed, until one of its hours is rebuilt', async () => {
  const before = await answers()
  const site = tenants.customers[0]!.siteIds[0]!
  const hour = days[3]! + 3_600
  await stores.events.command({
    query: `INSERT INTO requests_per_hour_v1 (time, site, requests) VALUES (toDateTime(${hour}, 'UTC'), ${site}, 1000000)`,
  })
  expect(await answers()).toEqual(before)
  clock(400)
  await rebuildHour(stores.database.db, stores.events, hour)
  expect(await closedNow()).not.toContain(days[3]!)
  expect(await answers()).toEqual(before)
})

/** The requests of a span in the cards: from exact counters since `countedSince`, from rows before. */
async function cardOf(span: { from: number; to: number }, countedSince: number) {
  const sites = tenants.customers.flatMap((customer) => customer.siteIds)
  const scope = { sites, domains: null, zones: null }
  const times = { startTime: span.from * 1000, endTime: span.to * 1000 }
  const body = {
    siteIDs: [],
    domainIDs: [],
    zoneIDs: [],
    filter: StatisticsFilter.parse({}),
    type: [3 as const],
    ...times,
  }
  const cards = await answerCards(stores.events, cardsQuestion(body, scope, Date.now(), countedSince))
  return cards[3]!.requests
}

test('late counters count at once, and still only once after their day is closed again', async () => {
  const late = days[1]!
  const whole = { from: late, to: late + day }
  clock(800)
  await closeDays(stores.events, Date.now())
  await uploadCounters([{ minute: late + 60, requests: 7 }])
  expect(await closedNow()).not.toContain(late)
  expect(await cardOf(whole, 0)).toBe(7)
  clock(900)
  expect(await closeDays(stores.events, Date.now())).toEqual([late])
  expect(await cardOf(whole, 0)).toBe(7)
  await uploadCounters([{ minute: late + 7_200, requests: 5, status: 404 }])
  expect(await closedNow()).not.toContain(late)
  expect(await cardOf(whole, 0)).toBe(12)
  clock(1_000)
  expect(await closeDays(stores.events, Date.now())).toEqual([late])
  expect(await cardOf(whole, 0)).toBe(12)
})

test('after an upgrade exact sums begin with the next day: rows before it, counters after, nothing twice', async () => {
  // What the migration does for an installation that already has rows, but no sums.
  const { events } = stores
  await events.command({ query: 'TRUNCATE TABLE counted_since_v1' })
  const migration = readFileSync(new URL('../../event-migrations/0008_counted.sql', import.meta.url), 'utf8')
  await events.command({ query: /insert into counted_since_v1[^;]*/.exec(migration)![0] })
  const since = await makeCountedSince(events)()
  // The store has its own clock, which may be past midnight by now.
  expect([today + day, today + 2 * day]).toContain(since)

  clock(since + day - start / 1000)
  const rowsBefore = await cardOf({ from: since - 3_600, to: since }, since)
  await uploadEvents(50, { from: since - 3_600, to: since - 60 })
  await uploadEvents(50, { from: since, to: since + 3_600 })
  const uploaded = rows.slice(-100)
  const before = uploaded.filter(({ time }) => time < since).reduce((sum, { weight }) => sum + weight, 0)
  await uploadCounters([
    { minute: since - 60, requests: 1_000_000 },
    { minute: since, requests: 300 },
    { minute: since + 1_800, requests: 20 },
  ])
  expect(await cardOf({ from: since - 3_600, to: since }, since)).toBe(rowsBefore! + before)
  expect(await cardOf({ from: since, to: since + 3_600 }, since)).toBe(320)
  expect(await cardOf({ from: since - 3_600, to: since + 3_600 }, since)).toBe(rowsBefore! + before + 320)
  // The same over whole days, including the day of the switch, closed or not.
  const whole = { from: since - day, to: since + day }
  const open = await cardOf(whole, since)
  clock(since + day + 600 - start / 1000)
  expect(await closeDays(events, Date.now())).toContain(since)
  expect(await cardOf(whole, since)).toBe(open)
})
