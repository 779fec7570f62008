/**
 * What storing a row costs with all its rollups, compared with the same INSERT into a table without rollups in the same
 * run; and how long the charts of one site's day take.
 * Run: `node bench/src/events.ts [rows] [sites]`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { lineOfRow } from '@breakwater/contract/edge/row-lines.ts'
import { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { startClickHouse } from '../../server/src/engines/clickhouse.ts'
import { closeHours } from '../../server/src/events/close-hours.ts'
import { insertSettings, insertStatement } from '../../server/src/events/insert-statements.ts'
import { migrateEvents } from '../../server/src/events/migrate.ts'
import { openEvents, queryRows } from '../../server/src/events/store.ts'
import { makeTraffic } from '../../server/src/events/testing/make-rows.ts'
import { listRows } from '../../server/src/logs/access-list.ts'
import { answerCards } from '../../server/src/statistics/cards.ts'
import { cardsQuestion, seriesQuestion, topQuestion } from '../../server/src/statistics/question.ts'
import { answerSeries } from '../../server/src/statistics/series.ts'
import { answerTop } from '../../server/src/statistics/tops.ts'

const rows = Number(process.argv[2] ?? 500_000)
const siteCount = Number(process.argv[3] ?? 200)
const batchRows = 20_000
const sites = Array.from({ length: siteCount }, (_, i) => i + 1)
// A few sites have most of the traffic.
const drawn = sites.flatMap((site) => Array<number>(Math.ceil(siteCount / site)).fill(site))
await using ends = new AsyncDisposableStack()
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(dataFolder, { recursive: true }))
const engine = await startClickHouse({ dataFolder })
ends.defer(() => engine.stop())
const events = openEvents(engine.url)
ends.defer(() => events.close())
await migrateEvents(events)
await events.command({ query: 'create table requests_plain as requests_raw_v1' })

/** CPU seconds that a process has used, from the kernel. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const end = Math.floor(Date.now() / 3_600_000) * 3_600
const days = 1
const batches = Array.from({ length: Math.ceil(rows / batchRows) }, (_, i) => {
  // Each batch holds the traffic of a short time span, as nodes upload it.
  const from = end - days * 86_400 + Math.floor((i * days * 86_400 * batchRows) / rows)
  const traffic = makeTraffic(batchRows, { from, to: from + 60, sites: drawn, seed: i + 7 })
  return Buffer.from(traffic.map(lineOfRow).join(''))
})

async function store(table: string): Promise<number> {
  const before = cpuSeconds(engine.pid)
  for (const [i, bytes] of batches.entries()) {
    const result = await events.exec({
      query: insertStatement({ kind: 'requests', form: 'lines' }).replace('requests_raw_v1', table),
      values: Readable.from([bytes]),
      query_params: { node: 1, zone: 1, boot: 'b', sequence: i, sites, from: 0, to: 4e9 },
      clickhouse_settings: { ...insertSettings, insert_deduplication_token: `${table}/${i}` },
    })
    for await (const _ of result.stream) {
    }
  }
  return ((cpuSeconds(engine.pid) - before) * 1e6) / (batches.length * batchRows)
}

const bytesPerRow = batches.reduce((sum, batch) => sum + batch.length, 0) / (batches.length * batchRows)
const plain = await store('requests_plain')
const whole = await store('requests_raw_v1')
console.log(
  `${batches.length * batchRows} rows of ${Math.round(bytesPerRow)} bytes, batches of ${batchRows}, ${siteCount} sites`,
)
console.log(`store a row without rollups  ${plain.toFixed(1)} µs CPU`)
console.log(`store a row with rollups     ${whole.toFixed(1)} µs CPU   ratio ${(whole / plain).toFixed(2)}`)
const parts = await events.query({
  query: `select table, sum(rows) as rows, round(sum(bytes_on_disk) / ${batches.length * batchRows}, 1) as bytesARow from system.parts where active group by table order by table`,
  format: 'JSONEachRow',
})
console.table(await parts.json())

/** The median of five runs, in milliseconds. */
async function timed(ask: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const started = performance.now()
    await ask()
    times.push(performance.now() - started)
  }
  return Math.round(times.sort((a, b) => a - b)[2]!)
}

const span = { siteIDs: [], domainIDs: [], zoneIDs: [], startTime: (end - 86_400) * 1000, endTime: end * 1000 }
const asked = { ...span, filter: StatisticsFilter.parse({}) }
const one = { sites: [1], domains: null, zones: null }
const all = { sites, domains: null, zones: null }
const now = Date.now()
const paging = { page: 1, pageSize: 26_784 }
const charts = (scope: typeof one) =>
  Promise.all([
    ...([2, 12, 101, 102, 103] as const).map((type) =>
      answerSeries(events, seriesQuestion({ ...asked, ...paging, type, minutesStep: 5 }, scope, now)),
    ),
    answerCards(events, cardsQuestion({ ...asked, type: [3, 4, 5, 14, 15] }, scope, now)),
  ])
const tops = (scope: typeof one) =>
  Promise.all(
    ([11, 14, 19, 20, 21, 24, 25] as const).map((type) =>
      answerTop(events, topQuestion({ ...asked, type, top: 10, countType: 'reqCount' }, scope, now)),
    ),
  )
const page = { ...LogFilter.parse({}), ...span, page: 1, pageSize: 50, sortBy: 'time', orderBy: 'desc' } as const
const rows50 = (scope: typeof one) => listRows(events, scope, page)
const series = (scope: typeof one) =>
  answerSeries(events, seriesQuestion({ ...asked, ...paging, type: 2, minutesStep: 5 }, scope, now))

const ofRaw = () =>
  queryRows(
    events,
    'SELECT toStartOfFiveMinutes(time) AS t, sum(weight) FROM requests_raw_v1 WHERE site = 1 GROUP BY t',
    {},
  )
console.log('\nms, the middle of five      one site   all sites')
const line = async (name: string, ask: (scope: typeof one) => Promise<unknown>) =>
  console.log(
    `${name.padEnd(26)} ${String(await timed(() => ask(one))).padStart(9)} ${String(await timed(() => ask(all))).padStart(11)}`,
  )
console.log(`one series, from raw rows  ${String(await timed(ofRaw)).padStart(9)}`)
await line('one series', series)
await line('five series, five cards', charts)
await line('seven tops, hours open', tops)
const closing = performance.now()
const closed = await closeHours(events, now)
console.log(`closing ${closed.length} hours: ${Math.round(performance.now() - closing)} ms`)
await line('seven tops, hours closed', tops)
await line('newest 50 rows of the log', rows50)
