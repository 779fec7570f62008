/**
 * Up to when events are complete: the time up to which every serving node has uploaded what it logged and counted. A
 * query for it also tells the nodes that somebody is looking at the events.
 */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { makeWantRows } from './want-rows.ts'

/** A node that has been offline for longer than this is not waited for. */
const awayMax = sql.lit('10 minutes')
const keptMs = 1000

/** Older nodes report a minute once it is over. */
const countersLag = sql.lit('130 seconds')

/**
 * Epoch seconds up to which the rows and counters of these sites are complete; the current time if no node serves them.
 */
export type CompleteTimes = { rows: number; counters: number }
export type CompleteUntil = (sites: number[]) => Promise<CompleteTimes>

/** Reads the nodes' reports at most once a second. */
export function makeCompleteUntil(db: Database): CompleteUntil {
  let known: { at: number; byGroup: Promise<Map<number, CompleteTimes>> } | undefined
  const byGroup = (): Promise<Map<number, CompleteTimes>> => {
    if (!known || Date.now() - known.at > keptMs) {
      const asked = { at: Date.now(), byGroup: completeByGroup(db) }
      known = asked
      asked.byGroup.catch(() => {
        if (known === asked) known = undefined
      })
    }
    return known.byGroup
  }
  const wantRows = makeWantRows(db)
  return async (sites) => {
    const [complete, groups] = await Promise.all([byGroup(), wantRows(sites)])
    const ofGroups = [...complete].filter(([group]) => !groups || groups.has(group)).map(([, times]) => times)
    const now = Date.now() / 1000
    return {
      rows: Math.min(now, ...ofGroups.map(({ rows }) => rows)),
      counters: Math.min(now, ...ofGroups.map(({ counters }) => counters)),
    }
  }
}

function completeByGroup(db: Database): Promise<Map<number, CompleteTimes>> {
  return withSystem(db, async (tx) => {
    const { rows } = await sql<CompleteTimes & { groupId: number }>`
      select group_id as "groupId",
        min(coalesce((health ->> 'eventsUntil')::float8, extract(epoch from last_seen_at)::float8)) as rows,
        min(coalesce((health ->> 'countersUntil')::float8, extract(epoch from last_seen_at - interval ${countersLag})::float8)) as counters
      from nodes
      where group_id is not null and status = 1 and revoked_at is null and last_seen_at > now() - interval ${awayMax}
      group by group_id`.execute(tx)
    return new Map(rows.map(({ groupId, ...times }) => [groupId, times]))
  })
}
