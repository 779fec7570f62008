/** Hands a rule set that one node of a zone tries first to another node once that one is no longer in use. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { About } from '../publish/publish-sites.ts'
import { chosenShadow } from './document.ts'
import { lastDocument, publishZone } from './publish-zone.ts'

/**
 * Runs a change of which nodes of some zones are in use, and in the same transaction chooses the node that tries their
 * rule sets from now on. The zones are locked first, in the same way as changes of their settings lock them. Runs as
 * the system.
 */
export async function changeNodesAtWork<T>(
  db: Database,
  zoneIds: readonly number[],
  about: About,
  change: () => Promise<T>,
): Promise<T> {
  const ids = [...new Set(zoneIds)].sort((a, b) => a - b)
  await sql`select from zones where id = any(${ids}::int[]) order by id for update`.execute(db)
  const made = await change()
  for (const id of ids) if (await isShadowLeft(db, id)) await publishZone(db, id, about)
  return made
}

/** Whether a rule set is in shadow on a single node that is no longer in use. */
async function isShadowLeft(db: Database, zoneId: number): Promise<boolean> {
  const node = chosenShadow(await lastDocument(db, zoneId))?.node
  if (node === undefined) return false
  const row = await db
    .selectFrom('nodes')
    .select('id')
    .where('id', '=', node)
    .where('zoneId', '=', zoneId)
    .where('groupId', 'is not', null)
    .where('revokedAt', 'is', null)
    .where('status', '=', 1)
    .executeTakeFirst()
  return row === undefined
}
