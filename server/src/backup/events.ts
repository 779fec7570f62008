/** The event store as entries: every table, hour by hour, in ClickHouse's Native format. */
import { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { tablesOfDays } from '../events/close-days.ts'
import { migrateEvents } from '../events/migrate.ts'
import { queryRows } from '../events/store.ts'
import { BackupError, type Entry } from './archive.ts'

const folder = 'clickhouse'
/** Rows per entry, unless a single hour has more. */
const partRows = 500_000
const hour = 3600

/** A table and its time column. */
type Table = { name: string; time: string }

/**
 * All tables except the daily sums, which are derived again from the hours: restored together with late rows, they
 * would be wrong.
 */
async function tablesOf(events: ClickHouseClient): Promise<Table[]> {
  return queryRows<Table>(
    events,
    `select t.name as name, any(c.name) as time from system.tables t join system.columns c on c.table = t.name
     where t.database = currentDatabase() and c.database = currentDatabase() and t.engine like '%MergeTree'
       and c.name in ('time', 'minute') and t.name not in {days:Array(String)} group by t.name order by t.name`,
    { days: tablesOfDays },
  )
}

/** Exports every row. Rows that arrive during the export may or may not be included. */
export async function* exportEvents(events: ClickHouseClient): AsyncGenerator<Entry> {
  for (const { name, time } of await tablesOf(events)) {
    const ranges = await rangesOf(events, name, time)
    for (const [part, [from, to]] of ranges.entries()) {
      const stream = await events.exec({
        query: `select * from ${name} where toUnixTimestamp(${time}) >= {from:UInt32} and toUnixTimestamp(${time}) < {to:UInt32} format Native`,
        query_params: { from, to },
      })
      const chunks: Buffer[] = []
      for await (const chunk of stream.stream) chunks.push(chunk as Buffer)
      yield { name: `${folder}/${name}/${String(part).padStart(6, '0')}`, bytes: Buffer.concat(chunks) }
    }
  }
}

/** Time ranges (epoch seconds) with about as many rows as an entry may have. */
async function rangesOf(events: ClickHouseClient, table: string, time: string): Promise<[number, number][]> {
  // Aliases that no table has as a column: ClickHouse would take the column instead.
  const hours = await queryRows<{ hour_begins: number; hour_rows: number }>(
    events,
    `select intDiv(toUnixTimestamp(${time}), ${hour}) * ${hour} as hour_begins, toUInt32(count()) as hour_rows
     from ${table} group by hour_begins order by hour_begins`,
    {},
  )
  const ranges: [number, number][] = []
  let open: { from: number; rows: number } | undefined
  for (const { hour_begins: at, hour_rows: rows } of hours) {
    if (open && open.rows + rows > partRows) {
      ranges.push([open.from, at])
      open = undefined
    }
    open = { from: open?.from ?? at, rows: (open?.rows ?? 0) + rows }
  }
  if (open) ranges.push([open.from, hours.at(-1)!.hour_begins + hour])
  return ranges
}

/**
 * Fills an empty event store. The rows that materialized views derive from raw rows were saved too, so the views are
 * dropped during the import.
 */
export async function importEvents(events: ClickHouseClient) {
  await migrateEvents(events)
  await events.command({ query: 'truncate table counted_since_v1' })
  const tables = await tablesOf(events)
  const known = new Set(tables.map(({ name }) => name))
  for (const { name } of tables) {
    const [row] = await queryRows<{ rows: number }>(events, `select toUInt32(count()) as rows from ${name}`, {})
    if (row?.rows) throw new BackupError('the event store is not empty; a restore takes an empty one')
  }
  const views = await queryRows<{ name: string; makes: string }>(
    events,
    `select name, create_table_query as makes from system.tables where database = currentDatabase() and engine = 'MaterializedView'`,
    {},
  )
  for (const { name } of views) await events.command({ query: `drop table ${name} sync` })
  return {
    async add({ name, bytes }: Entry): Promise<void> {
      const table = name.split('/')[1] ?? ''
      if (!known.has(table)) throw new BackupError(`the backup has events of a table that is not known: ${table}`)
      const { stream } = await events.exec({
        query: `insert into ${table} settings insert_deduplicate = 0 format Native`,
        values: Readable.from([Buffer.from(bytes)]),
      } as never)
      for await (const _ of stream) {
        // An empty response confirms that the rows are stored.
      }
    },
    async finish(): Promise<void> {
      // A backup from before exact sums existed: they begin with the next day.
      await events.command({
        query: `insert into counted_since_v1 select toStartOfDay(now('UTC')) + interval 1 day
                where (select count() from counted_since_v1) = 0`,
      })
      for (const { makes } of views) await events.command({ query: makes })
    },
  }
}
