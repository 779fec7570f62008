/**
 * What storing a row costs, with everything that hangs on it, against the same INSERT into a table without rollups in
 * the same run; and how long one site's day of charts takes. Run: `node bench/events.ts [rows] [sites]`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { startClickHouse } from '../server/src/engines/clickhouse.ts'
import { insertSettings, insertStatements } from '../server/src/events/insert-statements.ts'
import { migrateEvents } from '../server/src/events/migrate.ts'
import { openEvents } from '../server/src/events/store.ts'
import { makeTraffic, ndjson } from '../server/src/events/testing/make-rows.ts'

const rows = Number(process.argv[2] ?? 500_000)
const siteCount = Number(process.argv[3] ?? 200)
const batchRows = 20_000
const sites = Array.from({ length: siteCount }, (_, i) => i + 1)
// Few sites have most of the traffic.
const drawn = sites.flatMap((site) => Array<number>(Math.ceil(siteCount / site)).fill(site))
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
const engine = await startClickHouse({ dataFolder })
const events = openEvents(engine.url)
await migrateEvents(events)
await events.command({ query: 'create table requests_plain as requests_raw_v1' })

/** Processor seconds that a process has used, from the kernel. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const end = Math.floor(Date.now() / 3_600_000) * 3_600
const days = 1
const batches = Array.from({ length: Math.ceil(rows / batchRows) }, (_, i) => {
  // Each batch is the traffic of a short while, as nodes ship it.
  const from = end - days * 86_400 + Math.floor((i * days * 86_400 * batchRows) / rows)
  return ndjson(makeTraffic(batchRows, { from, to: from + 60, sites: drawn, seed: i + 7 }))
})

async function store(table: string): Promise<number> {
  const before = cpuSeconds(engine.pid)
  for (const [i, bytes] of batches.entries()) {
    const result = await events.exec({
      query: insertStatements.requests.replace('requests_raw_v1', table),
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
await events.close()
await engine.stop()
rmSync(dataFolder, { recursive: true })
