/** Serializes changes to bans in commit order, and wakes the nodes that serve the sites. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

const banLock = 7_312_058

/**
 * Takes the ban lock of every zone that serves one of the sites, in ascending order. Sequence numbers assigned from
 * here on are higher than any that a node of these zones has read. Nodes are notified when the transaction commits.
 * Runs as the system.
 */
export async function takeBanTurn(db: Database, siteIds: readonly number[]): Promise<void> {
  const groups = await db
    .selectFrom('feedEntries')
    .innerJoin('groups', 'groups.id', 'feedEntries.groupId')
    .select(['groups.id', 'groups.zoneId'])
    .distinct()
    .where(sql<boolean>`feed_entries.site_id = any(${[...siteIds]}::int[])`)
    .where('feedEntries.artefact', 'is not', null)
    .execute()
  await takeTurn(db, groups)
}

/** The same for one zone, whatever it serves. */
export async function takeZoneBanTurn(db: Database, zoneId: number): Promise<void> {
  const groups = await db.selectFrom('groups').select(['id', 'zoneId']).where('zoneId', '=', zoneId).execute()
  await takeTurn(db, groups)
}

async function takeTurn(db: Database, groups: readonly { id: number; zoneId: number }[]): Promise<void> {
  const zones = [...new Set(groups.map(({ zoneId }) => zoneId))].sort((a, b) => a - b)
  for (const zone of zones) await sql`select pg_advisory_xact_lock(${banLock}, ${zone}::int)`.execute(db)
  for (const { id } of groups) await sql`select pg_notify('bans', ${String(id)})`.execute(db)
}
