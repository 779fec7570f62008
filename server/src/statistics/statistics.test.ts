/** Compares the statistics with sums computed in JavaScript from the same rows. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withCaller, withSystem } from '../db/database.ts'
import { closeHours } from '../events/close-hours.ts'
import { makeIngest } from '../events/ingest.ts'
import { rebuildHour } from '../events/rebuild-hour.ts'
import { type AskedScope, resolveScope } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { makeCounter, makeTraffic, ndjson } from '../events/testing/make-rows.ts'
import { makeTenants, type TestTenants } from '../events/testing/make-tenants.ts'
import type { Services } from '../process/services.ts'
import { makeTestServices } from '../testing/server.ts'
import { answerCards } from './cards.ts'
import { cardsQuestion, rankQuestion, seriesQuestion, type TopType, topQuestion } from './question.ts'
import { answerRanks } from './ranks.ts'
import { answerSeries } from './series.ts'
import { answerTop } from './tops.ts'
import { trafficOfMonth } from './traffic.ts'

let stores: Services
let stop: () => Promise<void>
let tenants: TestTenants
let rows: RequestRow[]
let sequence = 0
const now = Date.now()
const to = Math.floor(now / 300_000) * 300
const from = to - 5 * 3_600 + 600
const times = { startTime: from * 1000, endTime: to * 1000 }

beforeAll(async () => {
  const made = await makeTestServices()
  stores = made.services
  stop = made.stop
  tenants = await makeTenants(stores.database.db, 'statistics', 2, 2)
  const { nodeId, zoneId, groupId } = tenants
  const sites = tenants.customers.flatMap((customer) => customer.siteIds)
  const traffic = makeTraffic(4_000, { from: from - 900, to: to + 60, sites, seed: 77 })
  rows = traffic.map((row) => ({ ...row, node: nodeId, zone: zoneId }))
  const ingest = makeIngest(stores.database.db, stores.events)
  for (let i = 0; i < rows.length; i += 1_000) {
    const batch = { kind: 'requests' as const, boot: '0123456789abcdef', sequence: ++sequence, rows: 1_000 }
    await ingest({ nodeId, zoneId, groupId }, batch, '', ndjson(rows.slice(i, i + 1_000)))
  }
})
afterAll(() => stop())

const asCustomer = (which: number, asked: Partial<AskedScope> = {}) =>
  withCaller(stores.database, { tenantId: tenants.customers[which]!.tenantId, tier: 'user' }, (db) =>
    resolveScope(db, 'user', { siteIDs: [], domainIDs: [], zoneIDs: [], ...asked }),
  )
const asOperator = (asked: Partial<AskedScope> = {}) =>
  withCaller(stores.database, { tenantId: tenants.operatorId, tier: 'client' }, (db) =>
    resolveScope(db, 'client', { siteIDs: [], domainIDs: [], zoneIDs: [], ...asked }),
  )
const filter = StatisticsFilter.parse({})
const asked = { filter, siteIDs: [], domainIDs: [], zoneIDs: [], ...times }

type Filter = (row: RequestRow) => boolean
const inRange = (row: RequestRow) => row.time >= from && row.time < to
const sum = (filter: Filter, value: (row: RequestRow) => number = () => 1) =>
  rows.filter((row) => inRange(row) && filter(row)).reduce((total, row) => total + value(row) * row.weight, 0)
const refused = (row: RequestRow) => row.action === 'block' || row.action === 'challenge'
const sent = (row: RequestRow) => row.bytesSent

/** Various sites and filters: the query, and the rows that it should match. */
async function views(): Promise<{ name: string; scope: Awaited<ReturnType<typeof asCustomer>>; mine: Filter }[]> {
  const [first, second] = tenants.customers as [TestTenants['customers'][0], TestTenants['customers'][0]]
  const domain = first.domainIds[0]!
  return [
    { name: 'a customer', scope: await asCustomer(0), mine: (row) => first.siteIds.includes(row.site) },
    {
      name: 'one site',
      scope: await asCustomer(1, { siteIDs: [second.siteIds[1]!] }),
      mine: (row) => row.site === second.siteIds[1],
    },
    {
      name: 'one domain',
      scope: await asCustomer(0, { domainIDs: [domain] }),
      mine: (row) => row.domain === `www.site${first.siteIds[0]}.example.com`,
    },
    { name: 'an operator', scope: await asOperator(), mine: () => true },
    { name: 'a zone', scope: await asOperator({ zoneIDs: [tenants.zoneId] }), mine: () => true },
  ]
}

test('time series equal the sums of the rows, at every step', async () => {
  for (const { name, scope, mine } of await views()) {
    for (const minutesStep of [1, 5, 15, 60, 1440] as const) {
      const body = { type: 2 as const, minutesStep, page: 1, pageSize: 26_784, ...asked }
      const question = seriesQuestion(body, scope, now)
      const points = await answerSeries(stores.events, question)
      const step = minutesStep * 60
      const expected = points.map(({ time }) => {
        const within: Filter = (row) => mine(row) && row.time >= time && row.time < time + step
        return {
          time,
          value: { pass: sum((row) => within(row) && !refused(row)), drop: sum((row) => within(row) && refused(row)) },
        }
      })
      expect(points, `${name} by ${minutesStep}`).toEqual(expected)
      expect(points.length).toBe(question.buckets.count)
      expect(points.reduce((total, { value }) => total + value.pass! + value.drop!, 0)).toBe(sum(mine))
    }
  }
})

test('the peak bandwidth is the highest five-minute mean, the same for every range that contains it', async () => {
  for (const { name, scope, mine } of await views()) {
    const bitsOf = (start: number) =>
      (sum((row) => mine(row) && row.time >= start && row.time < start + 300, sent) * 8) / 300
    const starts = Array.from({ length: (to - from) / 300 }, (_, i) => from + i * 300)
    const highest = Math.max(...starts.map(bitsOf))
    const peakOf = async (startTime: number, endTime: number) => {
      const question = cardsQuestion({ type: 101, ...asked, startTime, endTime }, scope, now)
      return (await answerCards(stores.events, question))[101]!
    }
    const peak = await peakOf(times.startTime, times.endTime)
    expect(peak.bandwidth, name).toBeCloseTo(highest, 1)
    expect(bitsOf(peak.time!)).toBeCloseTo(highest, 1)
    const shorter = await peakOf(Math.max(from, peak.time! - 1200) * 1000, Math.min(to, peak.time! + 1200) * 1000)
    expect(shorter, name).toEqual(peak)
  }
  const long = { type: 101 as const, ...asked, startTime: now - 200 * 86_400_000, endTime: now }
  expect((await answerCards(stores.events, cardsQuestion(long, await asOperator(), now)))[101]).toEqual({})
})

test('the other series sum what their names say', async () => {
  const scope = await asOperator()
  const total = async (type: 12 | 13 | 101 | 102 | 103 | 104) => {
    const points = await answerSeries(
      stores.events,
      seriesQuestion({ type, minutesStep: 60, page: 1, pageSize: 500, ...asked }, scope, now),
    )
    const sums: Record<string, number> = {}
    for (const { value } of points) for (const [name, n] of Object.entries(value)) sums[name] = (sums[name] ?? 0) + n
    return sums
  }
  const cached = (...states: string[]) => sum((row) => states.includes(row.cache))
  expect(await total(12)).toEqual({ requests: sum((row) => row.cause === causes.denyList) })
  expect(await total(13)).toEqual({ block: 0, challenge: 0, observe: 0 })
  expect(await total(101)).toEqual({
    sent: sum(() => true, sent),
    received: sum(
      () => true,
      (row) => row.bytesReceived,
    ),
  })
  const ofClass = (first: number) => sum((row) => Math.floor((row.cause || row.status) / 100) === first)
  expect(await total(102)).toEqual({
    '2xx': ofClass(2),
    '3xx': ofClass(3),
    '4xx': ofClass(4),
    '5xx': ofClass(5),
    '9xx': ofClass(9),
    '444': 0,
  })
  expect(await total(103)).toEqual({
    hit: cached('HIT', 'STALE'),
    miss: cached('MISS', 'EXPIRED'),
    bypass: cached('BYPASS'),
  })
  expect(await total(104)).toEqual({ requests: sum((row) => row.originStatus > 0) })
})

/** Filters, the rows they should match, and what remains of these in each kind of query. */
const filtered: [string, object, Filter][] = [
  ['a host, from the rollups', { host: ['www.site1.example.com'] }, (row) => row.domain === 'www.site1.example.com'],
  ['a code, from the rollups', { status: [903] }, (row) => row.status === 903 || row.cause === 903],
  ['all but refused', { not: { action: ['block'] } }, (row) => row.action !== 'block'],
  ['a country, from the rows', { country: ['TW'] }, (row) => row.country === 'TW'],
  ['a network, from the rows', { asn: [13_335] }, (row) => row.asn === 13_335],
  ['all but a country', { not: { country: ['TW'] } }, (row) => row.country !== 'TW'],
  [
    'a network and a state of the cache',
    { ip: ['198.51.1.0/24'], cache: ['HIT'] },
    (row) => row.address.startsWith('198.51.1.') && row.cache === 'HIT',
  ],
]

test.each(filtered)('filtered by %s, every query counts the same rows', async (_name, lists, mine) => {
  const scope = await asOperator()
  const body = { ...asked, filter: StatisticsFilter.parse(lists) }
  const series = seriesQuestion({ ...body, type: 2, minutesStep: 15, page: 1, pageSize: 500 }, scope, now)
  const points = await answerSeries(stores.events, series)
  expect(points.reduce((n, { value }) => n + value.pass! + value.drop!, 0)).toBe(sum(mine))
  const cards = await answerCards(stores.events, cardsQuestion({ ...body, type: [3, 4] }, scope, now))
  const { 3: requests, 4: addresses } = cards
  expect(requests).toMatchObject({ requests: sum(mine), traffic: sum(mine, sent) })
  const exact = new Set(rows.filter((row) => inRange(row) && mine(row)).map((row) => row.address)).size
  expect(Math.abs(addresses!.addresses! - exact)).toBeLessThanOrEqual(Math.ceil(exact * 0.03))
  for (const type of [11, 24, 104] as const) {
    const question = topQuestion({ ...body, type, top: 500, countType: 'reqCount' }, scope, now)
    const top = await answerTop(stores.events, question)
    expect(top.reduce((n, { value }) => n + value, 0)).toBe(sum((row) => mine(row) && names[type]!.of(row)))
  }
  const ranks = { page: 1, pageSize: 500, type: 1, sortBy: 'reqCount', orderBy: 'desc' } as const
  const { data } = await answerRanks(stores.events, rankQuestion({ ...body, ...ranks }, scope, now))
  expect(data.reduce((n, { reqCount }) => n + reqCount, 0)).toBe(sum(mine))
})

test('a rate is per second, over the seconds that its step covers', async () => {
  const scope = await asOperator()
  const times = { startTime: from * 1000, endTime: (from + 5_400) * 1000 }
  const question = seriesQuestion(
    { ...asked, ...times, type: 105, minutesStep: 60, page: 1, pageSize: 500 },
    scope,
    now,
  )
  const points = await answerSeries(stores.events, question)
  for (const { time, value } of points) {
    const [first, last] = [Math.max(time, from), Math.min(time + 3_600, from + 5_400)]
    const bytes = sum((row) => row.time >= first && row.time < last && !refused(row), sent)
    expect(value.pass).toBeCloseTo((bytes * 8) / (last - first), 1)
  }
})

test('the ranked domains equal the sums of the rows, and are paged', async () => {
  const scope = await asCustomer(0)
  const body = { ...asked, type: 1, sortBy: 'traffic', orderBy: 'desc' } as const
  const page = (page: number, pageSize: number) =>
    answerRanks(stores.events, rankQuestion({ ...body, page, pageSize }, scope, now))
  const all = await page(1, 500)
  const mine = tenants.customers[0]!.siteIds
  const domains = new Set(rows.filter((row) => inRange(row) && mine.includes(row.site)).map((row) => row.domain))
  expect(all.total).toBe(domains.size)
  for (const rank of all.data) {
    const of: Filter = (row) => row.domain === rank.domainName
    expect(rank).toMatchObject({
      reqCount: sum(of),
      traffic: sum(of, sent),
      cache: sum((row) => of(row) && ['HIT', 'STALE'].includes(row.cache)),
      upstreamCount: sum((row) => of(row) && row.originStatus > 0),
    })
    expect(rank.bandwidth).toBeCloseTo((sum(of, sent) * 8) / (to - from), 1)
  }
  expect(all.data.map(({ traffic }) => traffic)).toEqual(all.data.map(({ traffic }) => traffic).sort((a, b) => b - a))
  expect([...(await page(1, 2)).data, ...(await page(2, 2)).data]).toEqual(all.data.slice(0, 4))
  expect(await page(99, 10)).toEqual({ data: [], total: all.total })
})

test('the pages of a series make up the whole', async () => {
  const scope = await asCustomer(0)
  const body = { type: 2 as const, minutesStep: 15 as const, ...asked }
  const whole = await answerSeries(stores.events, seriesQuestion({ ...body, page: 1, pageSize: 26_784 }, scope, now))
  const pages = await Promise.all(
    [1, 2, 3, 4].map((page) => answerSeries(stores.events, seriesQuestion({ ...body, page, pageSize: 7 }, scope, now))),
  )
  expect(pages.flat()).toEqual(whole)
})

test('cards equal the sums of the rows', async () => {
  for (const { name, scope, mine } of await views()) {
    const question = cardsQuestion({ type: [3, 4, 5, 14, 15], ...asked }, scope, now)
    const cards = await answerCards(stores.events, question)
    const { 3: requests, 4: addresses, 5: statuses, 14: blacklist, 15: block } = cards
    const by = (filter: Filter) => sum((row) => mine(row) && filter(row))
    const different = (filter: Filter) =>
      new Set(rows.filter((row) => inRange(row) && mine(row) && filter(row)).map((row) => row.address)).size
    expect(requests, name).toMatchObject({
      requests: by(() => true),
      pass: by((row) => !refused(row)),
      drop: by(refused),
      traffic: sum(mine, sent),
      hits: by((row) => ['HIT', 'STALE'].includes(row.cache)),
    })
    // Distinct addresses are estimated, within a few per cent.
    for (const [key, exact] of [
      ['addresses', different(() => true)],
      ['refused', different(refused)],
    ] as const) {
      expect(Math.abs(addresses![key]! / exact - 1), `${name}, ${key}`).toBeLessThan(0.03)
    }
    expect(statuses).toMatchObject({
      200: by((row) => row.status === 200),
      903: by((row) => row.cause === 903),
      978: by((row) => row.cause === 978),
      other: by((row) => row.status === 304),
    })
    expect(Object.values(statuses!).reduce((a, b) => a + b)).toBe(by(() => true))
    expect(blacklist).toMatchObject({ requests: by((row) => row.cause === 903) })
    expect(block).toMatchObject({ requests: by(refused), rateLimit: by((row) => row.cause === 929) })
  }
})

const names: Record<number, { name: (row: RequestRow) => string; of: Filter }> = {
  11: { name: (row) => row.country, of: () => true },
  14: { name: (row) => row.referer, of: (row) => row.referer !== '' },
  18: { name: (row) => row.address, of: (row) => row.cause === 903 },
  19: { name: (row) => row.domain + row.path, of: () => true },
  20: { name: (row) => row.userAgent, of: () => true },
  21: { name: (row) => row.country, of: refused },
  23: { name: (row) => row.guard, of: refused },
  24: { name: (row) => row.domain, of: refused },
  25: { name: (row) => row.address, of: refused },
  101: { name: (row) => row.method, of: () => true },
  102: { name: (row) => row.httpVersion, of: () => true },
  103: { name: (row) => row.scheme, of: () => true },
  104: { name: (row) => String(row.cause || row.status), of: () => true },
  105: { name: (row) => row.domain, of: () => true },
  106: { name: (row) => row.cache, of: (row) => row.cache !== '' },
  107: { name: (row) => row.address, of: () => true },
  108: { name: (row) => String(row.asn), of: (row) => row.asn !== 0 },
}

async function expectTops() {
  for (const { name: view, scope, mine } of await views()) {
    for (const type of Object.keys(names).map(Number) as TopType[]) {
      for (const countType of ['reqCount', 'traffic'] as const) {
        const { name, of } = names[type]!
        const counted = new Map<string, number>()
        for (const row of rows.filter((one) => inRange(one) && mine(one) && of(one)))
          counted.set(
            name(row),
            (counted.get(name(row)) ?? 0) + row.weight * (countType === 'traffic' ? row.bytesSent : 1),
          )
        const expected = [...counted]
          .map(([key, value]) => ({ name: key, value }))
          .filter(({ value }) => value > 0)
          .sort((a, b) => b.value - a.value || (a.name < b.name ? -1 : 1))
          .slice(0, 7)
        const top = await answerTop(stores.events, topQuestion({ type, top: 7, countType, ...asked }, scope, now))
        const told = top.map((row) => ({ name: row.name, value: row.value }))
        expect(told, `${view}, top ${type} by ${countType}`).toEqual(expected)
        expect(top.every((row) => row.label === undefined || row.label.startsWith(`AS${row.name}`))).toBe(true)
      }
    }
  }
}

test('top lists equal the sums of the rows, before and after hours are closed', async () => {
  await expectTops()
  expect((await closeHours(stores.events, now)).length).toBeGreaterThanOrEqual(4)
  expect(await closeHours(stores.events, now)).toEqual([])
  await expectTops()
})

test('an hour with late rows is closed again and counts them once', async () => {
  await closeHours(stores.events, now)
  const { nodeId, zoneId, groupId, customers } = tenants
  const hour = Math.ceil(from / 3600) * 3600
  const late = makeTraffic(200, { from: hour, to: hour + 3600, sites: customers[0]!.siteIds, seed: 5 }).map((row) => ({
    ...row,
    node: nodeId,
    zone: zoneId,
  }))
  const batch = { kind: 'requests' as const, boot: '0123456789abcdef', sequence: ++sequence, rows: 200 }
  await makeIngest(stores.database.db, stores.events)({ nodeId, zoneId, groupId }, batch, '', ndjson(late))
  rows.push(...late)
  // Not the machine's current time: another hour may have ended since the test began.
  expect(await closeHours(stores.events, now + 1)).toEqual([hour])
  await expectTops()
})

test('hours closed before a list existed are closed again', async () => {
  await closeHours(stores.events, now)
  await stores.events.command({
    query: 'ALTER TABLE hours_closed_v1 UPDATE lists = 1 WHERE true SETTINGS mutations_sync = 1',
  })
  expect((await closeHours(stores.events, now + 2)).length).toBeGreaterThanOrEqual(4)
})

test('a rebuilt hour is unchanged, and a damaged one is repaired', async () => {
  const hour = Math.ceil(from / 3600) * 3600
  const tables = ['requests_per_minute_v1', 'requests_per_five_minutes_v1', 'requests_per_hour_v1']
  const totals = async () =>
    Promise.all([
      ...tables.map((table) =>
        queryRows<object>(
          stores.events,
          `SELECT toUnixTimestamp(toStartOfHour(time)) AS hour, sum(requests) AS n, sum(bytesSent) AS bytes, sum(rows) AS stored FROM ${table} GROUP BY hour ORDER BY hour`,
          {},
        ),
      ),
      ...['visitors_per_five_minutes_v1', 'visitors_per_hour_v1'].map((table) =>
        queryRows<object>(
          stores.events,
          `SELECT toUnixTimestamp(toStartOfHour(time)) AS hour, uniqCombinedMerge(14)(addresses) AS n FROM ${table} GROUP BY hour ORDER BY hour`,
          {},
        ),
      ),
    ])
  const before = await totals()
  await rebuildHour(stores.database.db, stores.events, hour)
  expect(await totals()).toEqual(before)
  await stores.events.command({
    query: `INSERT INTO requests_per_minute_v1 (time, site, requests) VALUES (toDateTime(${hour}, 'UTC'), 1, 1000000)`,
  })
  await stores.events.command({ query: 'TRUNCATE TABLE visitors_per_hour_v1' })
  expect(await totals()).not.toEqual(before)
  for (const { hour: each } of before[0] as { hour: number }[])
    await rebuildHour(stores.database.db, stores.events, each)
  expect(await totals()).toEqual(before)
})

test('a type without a data source is empty', async () => {
  const scope = await asOperator()
  expect(
    await answerTop(stores.events, topQuestion({ type: 12, top: 10, countType: 'reqCount', ...asked }, scope, now)),
  ).toEqual([])
})

test('a tag stands for the domains of the sites that have it, and for none if no site has it', async () => {
  const { siteIds, domainIds } = tenants.customers[0]!
  const [site, id] = [siteIds[0]!, domainIds[0]!]
  await withSystem(stores.database.db, (db) =>
    db
      .updateTable('domains')
      .set({ tags: ['Shop'] })
      .where('id', '=', id)
      .execute(),
  )
  const name = `www.site${site}.example.com`
  expect(await asCustomer(0, { domainTags: ['shop'] })).toEqual({ sites: [site], domains: [name], zones: null })
  expect(await asCustomer(0, { domainTags: ['shop'], domainIDs: [id] })).toMatchObject({ domains: [name] })
  expect(await asCustomer(0, { domainTags: ['other'] })).toEqual({ sites: [], domains: [], zones: null })
  expect(await asCustomer(1, { domainTags: ['shop'] })).toMatchObject({ domains: [] })
})

test('another tenant’s site or domain is rejected as if it did not exist; zones only work for operators', async () => {
  const theirs = tenants.customers[1]!
  await expect(asCustomer(0, { siteIDs: [theirs.siteIds[0]!] })).rejects.toMatchObject({ reason: 'permissionDenied' })
  await expect(asCustomer(0, { siteIDs: [tenants.customers[0]!.siteIds[0]!, 999_999] })).rejects.toMatchObject({
    reason: 'permissionDenied',
  })
  await expect(asCustomer(0, { domainIDs: [theirs.domainIds[0]!] })).rejects.toMatchObject({
    reason: 'permissionDenied',
  })
  expect((await asCustomer(0, { zoneIDs: [999_999] })).zones).toBeNull()
  await expect(asOperator({ zoneIDs: [999_999] })).rejects.toMatchObject({ reason: 'permissionDenied' })
  const other = await makeTenants(stores.database.db, 'statistics-other', 1, 1)
  await expect(asOperator({ zoneIDs: [other.zoneId] })).rejects.toMatchObject({ reason: 'permissionDenied' })
  await expect(asOperator({ siteIDs: other.customers[0]!.siteIds })).rejects.toMatchObject({
    reason: 'permissionDenied',
  })
})

test('a caller without sites gets zeros and empty lists', async () => {
  const scope = { sites: [], domains: null, zones: null }
  const ranks = { page: 1, pageSize: 5, type: 1, sortBy: 'reqCount', orderBy: 'desc' } as const
  expect(await answerRanks(stores.events, rankQuestion({ ...asked, ...ranks }, scope, now))).toEqual({
    data: [],
    total: 0,
  })
  const points = await answerSeries(
    stores.events,
    seriesQuestion({ type: 2, minutesStep: 60, page: 1, pageSize: 500, ...asked }, scope, now),
  )
  expect(points.every(({ value }) => value.pass === 0 && value.drop === 0)).toBe(true)
  expect(
    await answerTop(stores.events, topQuestion({ type: 19, top: 10, countType: 'reqCount', ...asked }, scope, now)),
  ).toEqual([])
  const cards = await answerCards(stores.events, cardsQuestion({ type: [3, 4], ...asked }, scope, now))
  expect(cards).toMatchObject({ 3: { requests: 0, hits: 0 }, 4: { addresses: 0, refused: 0 } })
})

test('the month’s traffic begins at midnight of the accounting time zone', async () => {
  const { nodeId, zoneId, customers } = tenants
  const site = customers[0]!.siteIds[0]!
  // 20:00 UTC of the last day of October is November in Taipei.
  const noon = Date.parse('2026-11-15T12:00:00Z')
  const minutes = [
    '2026-10-01T00:00:00Z',
    '2026-10-31T15:59:00Z',
    '2026-10-31T16:00:00Z',
    '2026-11-14T00:00:00Z',
    '2026-09-30T15:59:00Z',
  ]
  const values = minutes.map((text, i) => {
    const { minute: _, ...rest } = makeCounter({ node: nodeId, zone: zoneId, site, bytesSent: 10 ** i })
    return { ...rest, minute: Date.parse(text) / 1000, boot: '0123456789abcdef', sequence: i + 1 }
  })
  await stores.events.insert({ table: 'counters_per_minute_v1', values, format: 'JSONEachRow' })
  expect(await trafficOfMonth(stores.events, [site], 'Asia/Taipei', noon)).toEqual({ current: 1_100, last: 11 })
  expect(await trafficOfMonth(stores.events, [site], 'UTC', noon)).toEqual({ current: 1_000, last: 111 })
  expect(await trafficOfMonth(stores.events, [customers[1]!.siteIds[0]!], 'UTC', noon)).toEqual({ current: 0, last: 0 })
})
