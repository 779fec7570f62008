/** The notice that fresh rows are there. It names sites and times, never a row: those are read from the event store. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { BatchScan } from './scan-batch.ts'

export const eventsChannel = 'events'

/** Heard by the node API: the ids of the groups, with commas, whose nodes' rows somebody looks at. */
export const rowsWantedChannel = 'rows'

/** Rows of one batch. `sites` is null where they are too many to name. Times are epoch seconds, `to` inclusive. */
export type RowsNotice = { node: number; batch: number; sites: number[] | null; from: number; to: number }

/** A notice of PostgreSQL holds at most 8,000 bytes. */
const sitesMax = 500

/** Tells the API's processes, when the transaction commits, that a batch was stored. */
export async function announceRows(tx: Database, nodeId: number, batch: number, scan: BatchScan): Promise<void> {
  const sites = scan.sites.size > sitesMax ? null : [...scan.sites]
  const notice: RowsNotice = { node: nodeId, batch, sites, from: scan.from, to: scan.to }
  await sql`select pg_notify(${eventsChannel}, ${JSON.stringify(notice)})`.execute(tx)
}
