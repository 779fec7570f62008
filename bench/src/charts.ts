/**
 * How long charts and cards take over a month of many sites: rows generated inside the engine, rollups filled from them
 * as in production, queries as the console sends them. p95 over the queries, each for another site and day, compared
 * with the same sums computed from the raw rows.
 * Run: `node bench/src/charts.ts [rows] [queries]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { startClickHouse } from '../../server/src/engines/clickhouse.ts'
import { closeDays } from '../../server/src/events/close-days.ts'
import { migrateEvents } from '../../server/src/events/migrate.ts'
import { openEvents, queryRows } from '../../server/src/events/store.ts'
import { answerCards } from '../../server/src/statistics/cards.ts'
import { cardsQuestion, seriesQuestion } from '../../server/src/statistics/question.ts'
import { answerSeries } from '../../server/src/statistics/series.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const askings = Number(process.argv[3] ?? 40)
const days = 30
const siteCount = 1000
const sites = Array.from({ length: siteCount }, (_, n) => n + 1)

await using ends = new AsyncDisposableStack()
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(dataFolder, { recursive: true }))
const engine = await startClickHouse({ dataFolder })
ends.defer(() => engine.stop())
const events = openEvents(engine.url)
ends.defer(() => events.close())
await migrateEvents(events)
const end = Math.floor(Date.now() / 3_600_000) * 3_600
const from = end - days * 86_400

// Site n has about 1/n of the first site's traffic: a few sites have most of it.
async function fillDay(day: number): Promise<void> {
  const count = Math.ceil(rows / days)
  await events.command({
    query: `INSERT INTO requests_raw_v1 (time, node, zone, site, requestId, domain, address, country, method, path,
        status, cause, guard, action, cache, route, bytesSent, bytesReceived, requestTime, originStatus, userAgent)
      SELECT fromUnixTimestamp64Milli(toInt64(${from + day * 86_400}000 + intDiv(number * 86400000, ${count}))), 1 + h % 12, 1 + h % 3,
        toUInt32(1 + floor(exp((h2 % 1000000) / 1000000 * log(${siteCount})) - 1)) AS s, toString(h), concat('www', toString(s), '.example.com'),
        toIPv6(IPv4NumToString(toUInt32(3000000000 + h % 200000))), ['TW','US','DE','JP'][1 + h % 4], 'GET', concat('/page/', toString(h % 5000)),
        [200,200,200,200,200,206,304,404,403,502][1 + h % 10], if(h % 10 = 8, 903, 0), if(h % 10 = 8, 'denyRules', ''),
        if(h % 10 = 8, 'block', 'pass'), ['HIT','HIT','MISS','EXPIRED'][1 + h2 % 4], 'cached', h2 % 100000, 400, h2 % 900,
        if(h2 % 4 > 1, 200, 0), concat('agent ', toString(h2 % 400))
      FROM (SELECT number, cityHash64(number, ${day}) AS h, cityHash64(number, ${day}, 1) AS h2 FROM numbers(${count}))`,
    clickhouse_settings: { max_insert_block_size: '500000' },
  })
}

const filling = performance.now()
for (let day = 0; day < days; day++) await fillDay(day)
const closing = performance.now()
const closed = await closeDays(events, Date.now())
const closedIn = performance.now() - closing
console.log(`${cpus()[0]?.model}, ${cpus().length} processors, load ${loadavg()[0]!.toFixed(1)}`)
console.log(
  `${rows} rows of ${siteCount} sites in ${days} days, made in ${Math.round((closing - filling) / 1000)} s, ${closed.length} days closed in ${(closedIn / 1000).toFixed(1)} s`,
)

type Scope = { sites: number[]; domains: null; zones: null }
type Ask = (n: number) => { scope: Scope; startTime: number; endTime: number }
const oneDay: Ask = (n) => {
  const startTime = (end - (1 + (n % (days - 1))) * 86_400) * 1000
  return {
    scope: { sites: [1 + ((n * 37) % siteCount)], domains: null, zones: null },
    startTime,
    endTime: startTime + 86_400_000,
  }
}
const month: Ask = () => ({
  scope: { sites, domains: null, zones: null },
  ...{ startTime: from * 1000, endTime: end * 1000 },
})

const asked = ({ startTime, endTime }: ReturnType<Ask>) => ({
  ...{ siteIDs: [], domainIDs: [], zoneIDs: [], startTime, endTime, filter: StatisticsFilter.parse({}) },
})
const chart = (ask: Ask, minutesStep: 5 | 60) => (n: number) => {
  const at = ask(n)
  const body = { ...asked(at), type: 2 as const, minutesStep, page: 1, pageSize: 26_784 }
  return answerSeries(events, seriesQuestion(body as never, at.scope, Date.now()))
}
const cards = (ask: Ask) => (n: number) => {
  const at = ask(n)
  return answerCards(events, cardsQuestion({ ...asked(at), type: [3, 4, 5, 14, 15] } as never, at.scope, Date.now()))
}
const ofRows = (ask: Ask) => (n: number) => {
  const { scope, startTime, endTime } = ask(n)
  return queryRows(
    events,
    `SELECT toStartOfFiveMinutes(time) AS t, sum(weight) FROM requests_raw_v1
      WHERE site IN (${scope.sites.join(',')}) AND time >= fromUnixTimestamp64Milli(${startTime}) AND time < fromUnixTimestamp64Milli(${endTime})
      GROUP BY t`,
    {},
  )
}

async function p95(ask: (n: number) => Promise<unknown>, times = askings): Promise<number> {
  const took: number[] = []
  for (let n = 0; n < times; n++) {
    const started = performance.now()
    await ask(n)
    took.push(performance.now() - started)
  }
  return took.sort((a, b) => a - b)[Math.ceil(times * 0.95) - 1]!
}

for (const [name, ask, step] of [
  ["one site's day", oneDay, 5],
  ["all sites' 30 days", month, 60],
] as const) {
  const base = await p95(ofRows(ask), Math.min(askings, 10))
  const series = await p95(chart(ask, step))
  const five = await p95(cards(ask))
  console.log(
    `${name.padEnd(20)} p95: chart ${series.toFixed(0)} ms, five cards ${five.toFixed(0)} ms; from the rows ${base.toFixed(0)} ms: ${(series / base).toFixed(2)} ×`,
  )
}
