/**
 * Tells nodes that somebody is looking at their events; otherwise they collect rows and counters for some seconds (see
 * the agent's `upload-pace.ts`).
 */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { rowsWantedChannel } from './notice.ts'

/** One message keeps nodes uploading quickly for several seconds. */
const againMs = 1000

/** Reports that somebody is looking at events of these groups, or of all groups if undefined. */
export type WantRows = (groups: ReadonlySet<number> | undefined) => Promise<void>

/** Reports it at most once a second for each group. */
export function makeWantRows(db: Database): WantRows {
  const saidAt = new Map<number | undefined, number>()
  return async (groups) => {
    const now = Date.now()
    const isNews = (group: number | undefined) => now - (saidAt.get(group) ?? 0) >= againMs
    const wanted = groups ? [...groups].filter(isNews) : isNews(undefined) ? [undefined] : []
    if (wanted.length === 0) return
    for (const group of wanted) saidAt.set(group, now)
    await withSystem(db, (tx) => sql`select pg_notify(${rowsWantedChannel}, ${wanted.join(',')})`.execute(tx))
  }
}
