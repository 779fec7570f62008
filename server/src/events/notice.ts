/** The notification of new rows. It contains sites and times, never a row: rows are read from the event store. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { BatchScan } from './scan-batch.ts'

export const eventsChannel = 'events'

/** Received by the node API: the comma-separated ids of the groups whose rows somebody is looking at. */
export const rowsWantedChannel = 'rows'

/** The rows of one batch. `sites` is null if there are too many to list. Times are epoch seconds, `to` inclusive. */
export type RowsNotice = { node: number; batch: number; sites: number[] | null; from: number; to: number }

/** A PostgreSQL notification holds at most 8,000 bytes. */
const sitesMax = 500

/** Notifies the API's processes of a stored batch when the transaction commits. */
export async function announceRows(tx: Database, nodeId: number, batch: number, scan: BatchScan): Promise<void> {
  const sites = scan.sites.size > sitesMax ? null : [...scan.sites]
  const notice: RowsNotice = { node: nodeId, batch, sites, from: scan.from, to: scan.to }
  await sql`select pg_notify(${eventsChannel}, ${JSON.stringify(notice)})`.execute(tx)
}
