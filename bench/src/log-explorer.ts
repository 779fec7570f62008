/**
 * How long the log explorer's queries take on a day of a busy site and of an average one, on rows generated inside the
 * engine.
 * Run: `node bench/src/log-explorer.ts [rows]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { facetFields } from '@breakwater/contract/logs/explorer.ts'
import { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { startClickHouse } from '../../server/src/engines/clickhouse.ts'
import { migrateEvents } from '../../server/src/events/migrate.ts'
import { openEvents, queryRows } from '../../server/src/events/store.ts'
import { readFacets } from '../../server/src/logs/facets.ts'
import { readHistogram } from '../../server/src/logs/histogram.ts'
import { readKeyed } from '../../server/src/logs/row-key.ts'

const rows = Number(process.argv[2] ?? 10_000_000)
const sites = 20
await using ends = new AsyncDisposableStack()
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(dataFolder, { recursive: true }))
const engine = await startClickHouse({ dataFolder })
ends.defer(() => engine.stop())
const events = openEvents(engine.url)
ends.defer(() => events.close())
await migrateEvents(events)
// Raw rows only: the cost of rollups is measured elsewhere.
const views = await queryRows<{ name: string }>(
  events,
  "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'MaterializedView'",
  {},
)
for (const { name } of views) await events.command({ query: `DROP VIEW ${name}` })

const end = Math.floor(Date.now() / 86_400_000) * 86_400
const from = end - 86_400
// A tenth of the rows are site 1's, the rest are spread. Some hundred thousand addresses and some thousand pages, each
// with a long tail.
await events.command({
  query: `INSERT INTO requests_raw_v1 (time, node, zone, site, revision, requestId, domain, address, country, method, scheme,
      httpVersion, path, query, status, cause, guard, rule, action, cache, route, bytesSent, bytesReceived, requestTime,
      originTime, originAddress, originStatus, referer, userAgent, contentType)
    SELECT fromUnixTimestamp64Milli(toInt64(${from}000 + intDiv(number * 86400000, ${rows}))), 1 + number % 12, 1,
      if(h % 10 = 0, 1, 2 + h % ${sites - 1}) AS s, 7, lower(hex(MD5(toString(number)))), concat('www', toString(s), '.example.com'),
      toIPv6(IPv4NumToString(toUInt32(3000000000 + pow(h2 % 1000000, 0.5) * 300))), ['TW','US','DE','JP','FR','BR','IN','ZZ'][1 + h2 % 8],
      ['GET','GET','GET','POST','HEAD'][1 + h % 5], 'https', ['1.1','2','2','3'][1 + h % 4],
      concat('/page/', toString(intDiv(h2 % 9000000, 1 + h % 4000))), if(h % 3 = 0, concat('q=', toString(h2)), ''),
      [200,200,200,200,200,206,304,404,403,502][1 + h % 10], if(h % 10 = 8, 903, 0), if(h % 10 = 8, 'denyRules', ''),
      if(h % 10 = 8, 40 + h2 % 9, 0), if(h % 10 = 8, 'block', 'pass'), ['HIT','HIT','MISS','EXPIRED'][1 + h2 % 4], 'cached',
      h2 % 100000, 400, h2 % 900, h2 % 700, '192.0.2.80:443', 200, if(h % 4 = 0, 'https://example.org/', ''),
      concat('Mozilla/5.0 (agent ', toString(h2 % 400), ')'), 'text/html'
    FROM (SELECT number, cityHash64(number) AS h, cityHash64(number, 1) AS h2 FROM numbers(${rows}))`,
})
const [counted] = await queryRows<{ one: number }>(events, 'SELECT countIf(site = 1) AS one FROM requests_raw_v1', {})

/** The median and the slowest of five runs, in milliseconds. */
async function timed(ask: () => Promise<unknown>): Promise<string> {
  const times: number[] = []
  for (let i = 0; i < 5; i++) {
    const started = performance.now()
    await ask()
    times.push(Math.round(performance.now() - started))
  }
  times.sort((a, b) => a - b)
  return `${String(times[2]).padStart(6)} ${String(times[4]).padStart(7)}`
}

const one = { sites: [1], domains: null, zones: null }
const asked = { ...LogFilter.parse({}), startTime: from * 1000, endTime: end * 1000 }
const text = { ...asked, text: 'page/77' }
const fields = [...facetFields]
const load = () => loadavg().map((part) => part.toFixed(1))
console.log(`${rows} rows, ${counted!.one} of site 1; ${cpus().length} cores, load ${load().join(' ')}`)
console.log('site 1, one day                middle slowest of five, ms')
const print = async (name: string, ask: () => Promise<unknown>) => console.log(`${name.padEnd(30)} ${await timed(ask)}`)
const paged = { ...asked, limit: 100, after: `${(end - 43_200) * 1000}-1-zzzz` }
await print('newest 100 rows', () => readKeyed(events, one, { ...asked, limit: 100, after: undefined }))
await print('100 rows from the middle', () => readKeyed(events, one, paged))
await print('100 rows with a text', () => readKeyed(events, one, { ...text, limit: 100, after: undefined }))
await print('histogram', () => readHistogram(events, one, { ...asked, by: 'action' }, Date.now()))
await print('histogram of a text', () => readHistogram(events, one, { ...text, by: 'status' }, Date.now()))
await print('six fields (as the page asks)', () =>
  readFacets(events, one, { ...asked, fields: fields.slice(0, 6), top: 5 }),
)
await print(`all ${fields.length} fields`, () => readFacets(events, one, { ...asked, fields, top: 5 }))
console.log(`load afterwards ${load().join(' ')}`)
