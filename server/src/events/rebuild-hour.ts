/** Rebuilds an hour's rollups from raw rows, after a repair or if a rollup is in doubt. */
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { reopenDays } from './close-days.ts'
import { ingestLock } from './ingest.ts'
import { queryRows } from './store.ts'

const chains = ['requests_per_minute', 'visitors_per_five_minutes'] as const
const fedByThem = ['requests_per_five_minutes', 'requests_per_hour', 'visitors_per_hour'] as const

/** Rebuilds the rollups of the hour that begins at `hour` (epoch seconds). Ingest waits in the meantime. */
export async function rebuildHour(db: Database, events: ClickHouseClient, hour: number): Promise<void> {
  if (hour % 3600 !== 0) throw new RangeError(`${hour} is not the start of an hour`)
  await withSystem(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${ingestLock})`.execute(tx)
    const selects = await Promise.all(chains.map((name) => selectOf(events, `${name}_mv_v1`)))
    for (const name of [...chains, ...fedByThem]) await clear(events, `${name}_v1`, hour)
    for (const [i, name] of chains.entries()) await refill(events, `${name}_v1`, selects[i]!, hour)
    await reopenDays(events, { from: hour, to: hour }, Date.now())
  })
}

/** The SELECT of a materialized view, so that a rebuilt hour is computed exactly like a new one. */
async function selectOf(events: ClickHouseClient, view: string): Promise<string> {
  const rows = await queryRows<{ text: string }>(
    events,
    'SELECT as_select AS text FROM system.tables WHERE database = currentDatabase() AND name = {view:String}',
    { view },
  )
  return rows[0]!.text
}

async function clear(events: ClickHouseClient, table: string, hour: number): Promise<void> {
  await events.command({
    query: `DELETE FROM ${table} WHERE time >= toDateTime({hour:UInt32}, 'UTC') AND time < toDateTime({hour:UInt32} + 3600, 'UTC')`,
    query_params: { hour },
  })
}

async function refill(events: ClickHouseClient, table: string, select: string, hour: number): Promise<void> {
  const span = `WHERE requests_raw_v1.time >= toDateTime64({hour:UInt32}, 3, 'UTC') AND requests_raw_v1.time < toDateTime64({hour:UInt32} + 3600, 3, 'UTC')`
  await events.command({
    query: `INSERT INTO ${table} ${select.replace(/\bGROUP BY\b/, `${span} GROUP BY`)}`,
    query_params: { hour },
    // Without a unique token, a block identical to an earlier one would be dropped as a duplicate.
    clickhouse_settings: { insert_deduplication_token: crypto.randomUUID() },
  })
}
