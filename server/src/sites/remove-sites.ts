/** Removes sites: what belongs to them is deleted, their rows stay hidden. */
import type { Database } from '../db/database.ts'
import { publishMany } from '../publish/change-many.ts'
import { anyOf } from '../publish/gather.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import type { About } from '../publish/publish-sites.ts'
import type { Publisher } from '../publish/publisher.ts'

/**
 * Removes locked sites. The rows stay, so that a label is never issued again and the operator can read the history,
 * whose last revision still contains what they had.
 */
export async function removeSites(
  db: Database,
  sites: LockedSite[],
  publisher: Publisher,
  about: About,
): Promise<void> {
  if (sites.length === 0) return
  const ids = sites.map(({ id }) => id)
  await db.updateTable('sites').set({ removedAt: new Date() }).where('id', '=', anyOf(ids)).execute()
  await publishMany(db, sites, publisher, about, { isAtOnce: true })
  await db.deleteFrom('domains').where('siteId', '=', anyOf(ids)).execute()
  await db.deleteFrom('secrets').where('siteId', '=', anyOf(ids)).execute()
}
