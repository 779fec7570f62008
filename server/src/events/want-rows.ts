/** Telling nodes that somebody looks: they gather rows and counters for some seconds where nobody does (see the agent's `upload-pace.ts`). */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { rowsWantedChannel } from './notice.ts'

/** Nodes take a word of it as news for several seconds. */
const againMs = 1000

/** Says that events of these groups are looked at, of all where none are named. */
export type WantRows = (groups: ReadonlySet<number> | undefined) => Promise<void>

/** Says so at most once a second for each group. */
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
