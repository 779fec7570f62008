/** What a batch costs in CPU time on this machine: node API and event store, per batch and per row. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { noteFrame } from '@breakwater/contract/edge/batch-note.ts'
import { lineOfRow, rowMark } from '@breakwater/contract/edge/row-lines.ts'
import { startClickHouse } from '../../../server/src/engines/clickhouse.ts'
import { receiveContent } from '../../../server/src/events/batch-content.ts'
import { insertSettings, insertStatement, packedSettings } from '../../../server/src/events/insert-statements.ts'
import { migrateEvents } from '../../../server/src/events/migrate.ts'
import { openEvents, queryRows } from '../../../server/src/events/store.ts'
import { makeTraffic } from '../../../server/src/events/testing/make-rows.ts'

/** CPU seconds of one core, and bytes. Merges run in parallel with the inserts. */
export type Costs = {
  ofInsert: number
  ofRow: number
  mergesOfRow: number
  apiOfRow: number
  bytesOfLine: number
  bytesOnWire: number
  bytesStored: number
}

const [few, many, rounds] = [200, 30_000, 6]
/** Merges continue for a while after the last insert. */
const mergesMs = 4_000

export async function measureCosts(): Promise<Costs> {
  await using ends = new AsyncDisposableStack()
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  ends.defer(() => rmSync(dataFolder, { recursive: true }))
  const engine = await startClickHouse({ dataFolder })
  ends.defer(() => engine.stop())
  const events = openEvents(engine.url)
  ends.defer(() => events.close())
  await migrateEvents(events)
  const taken = () => {
    const fields = readFileSync(`/proc/${engine.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  }
  const sites = Array.from({ length: 50 }, (_, i) => i + 1)
  const from = Math.floor(Date.now() / 1000) - 600
  /** Lines as nginx writes them, and the batch as a node sends them. */
  const batchOf = (rows: number, seed: number) => {
    const traffic = makeTraffic(rows, { from, to: from + 5, sites, seed })
    const lines = Buffer.from(traffic.map(lineOfRow).join(''))
    const note = noteFrame({ rows, bytes: lines.length, from, to: from + 5, sites, mark: rowMark })
    return { rows, lines, packed: Buffer.concat([zstdCompressSync(lines), note]) }
  }
  let sequence = 0
  /** CPU seconds of the store while it ingests these batches. */
  const store = async (batches: ReturnType<typeof batchOf>[]): Promise<number> => {
    const before = taken()
    for (const { rows, packed } of batches) {
      const { stream } = await events.exec({
        query: insertStatement({ kind: 'requests', form: 'lines' }, true),
        values: Readable.from([packed]),
        query_params: { node: 1, zone: 1, boot: 'b', sequence: ++sequence, sites, from: 0, to: 4e9, rows },
        http_headers: { 'content-encoding': 'zstd' },
        clickhouse_settings: { ...insertSettings, ...packedSettings, insert_deduplication_token: `scale/${sequence}` },
      })
      for await (const _ of stream) {
      }
    }
    return taken() - before
  }
  const large = Array.from({ length: rounds }, (_, i) => batchOf(many, i + 1))
  const small = Array.from({ length: 20 }, (_, i) => batchOf(few, i + 101))
  await store(small.slice(0, 5))
  await events.command({ query: 'system stop merges' })
  const ofSmall = (await store(small.slice(5))) / 15
  const ofLarge = (await store(large)) / rounds
  await events.command({ query: 'system start merges' })
  const before = taken()
  await pause(mergesMs)
  const merges = taken() - before
  const [stored] = await queryRows<{ bytes: number }>(
    events,
    "SELECT sum(bytes_on_disk) / sum(rows) AS bytes FROM system.parts WHERE active AND table = 'requests_raw_v1'",
    {},
  )
  const ofRow = Math.max(0, ofLarge - ofSmall) / (many - few)
  const { packed, lines } = large[0]!
  const batch = { kind: 'requests', form: 'lines', boot: '0123456789abcdef', sequence: 1, rows: many } as const
  const api = process.cpuUsage()
  for (let round = 0; round < 10; round++) await receiveContent(batch, 'zstd', Readable.from([packed]))
  const { user, system } = process.cpuUsage(api)
  return {
    ofInsert: ofSmall - few * ofRow,
    ofRow,
    mergesOfRow: merges / (many * rounds),
    apiOfRow: (user + system) / 1e6 / 10 / many,
    bytesOfLine: lines.length / many,
    bytesOnWire: packed.length / many,
    bytesStored: stored?.bytes ?? 0,
  }
}
