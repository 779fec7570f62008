/**
 * Tells nodes that somebody is looking at their events; otherwise they collect rows and counters for some seconds (see
 * the agent's `upload-pace.ts`).
 */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { rowsWantedChannel } from './notice.ts'

/** One message keeps nodes uploading quickly for several seconds. */
const againMs = 1000

/** For more sites than this, all groups are considered. */
const sitesMax = 1000

/**
 * Tells the nodes of these sites that somebody is looking at their events: the next read includes those that they still
 * hold. Returns the groups of the nodes, or undefined if these are all.
 */
export type WantRows = (sites: number[]) => Promise<ReadonlySet<number> | undefined>

/** Tells each group at most once a second. */
export function makeWantRows(db: Database): WantRows {
  const saidAt = new Map<number | undefined, number>()
  return async (sites) => {
    const groups = await groupsOf(db, sites)
    const now = Date.now()
    const isNews = (group: number | undefined) => now - (saidAt.get(group) ?? 0) >= againMs
    const wanted = groups ? [...groups].filter(isNews) : isNews(undefined) ? [undefined] : []
    for (const group of wanted) saidAt.set(group, now)
    if (wanted.length > 0)
      await withSystem(db, (tx) => sql`select pg_notify(${rowsWantedChannel}, ${wanted.join(',')})`.execute(tx))
    return groups
  }
}

async function groupsOf(db: Database, sites: number[]): Promise<Set<number> | undefined> {
  if (sites.length > sitesMax) return undefined
  if (sites.length === 0) return new Set()
  const rows = await withSystem(db, (tx) =>
    tx.selectFrom('feedEntries').select('groupId').distinct().where('siteId', 'in', sites).execute(),
  )
  return new Set(rows.map(({ groupId }) => groupId))
}
