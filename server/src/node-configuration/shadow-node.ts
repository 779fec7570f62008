/** A rule set that one node of a zone tries first is tried by another once that one is at work no more. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { About } from '../publish/publish-sites.ts'
import { chosenShadow } from './document.ts'
import { lastDocument, publishZone } from './publish-zone.ts'

/**
 * Runs a change of which nodes of some zones are at work, and chooses in the same transaction who tries their rule sets from
 * now on. The zones are locked first, as changes of what is set of them lock them. Runs as the system.
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

/** Whether a rule set is in shadow on one node alone, and that one is not at work. */
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
