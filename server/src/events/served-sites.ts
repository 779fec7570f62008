/**
 * Which sites a group serves or has served: tombstones stay in the feed, and late rows of a site that moved away are
 * still valid.
 */
import type { Database } from '../db/database.ts'

/** The sites of a group's feed, read again only if its head has moved. Runs as the system. */
export type ServedSites = (db: Database, groupId: number) => Promise<ReadonlySet<number>>

/** One cache per database: groups of another database have the same ids. */
export function makeServedSites(): ServedSites {
  const cached = new Map<number, { head: number; sites: ReadonlySet<number> }>()
  return async (db, groupId) => {
    const feed = await db.selectFrom('feeds').select('head').where('groupId', '=', groupId).executeTakeFirst()
    const head = feed?.head ?? 0
    const known = cached.get(groupId)
    if (known?.head === head) return known.sites
    const rows = await db.selectFrom('feedEntries').select('siteId').where('groupId', '=', groupId).execute()
    const sites = new Set(rows.map((row) => row.siteId))
    cached.set(groupId, { head, sites })
    return sites
  }
}
