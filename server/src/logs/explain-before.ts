/** What came before a request, where its guard decided by that: how much its address asked, the ban it was under, the attack. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Before } from '@breakwater/contract/logs/access.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { spanClause } from './log-rows.ts'

/** Guards that count the requests of an address. */
const counting: ReadonlySet<string> = new Set(['rateRules', 'intervalRules', 'antiCC', 'zoneAntiCC'])
const countedSeconds = 60

/** Nothing where the guard decides by the request alone. What is not kept any more is null. The caller may see the site. */
export async function readBefore(
  { db, events }: { db: Database; events: ClickHouseClient },
  scope: EventScope,
  row: RequestRow,
): Promise<Before | null> {
  const { guard } = row
  if (counting.has(guard)) return { ...nothing, requests: await countRequests(events, scope, row) }
  if (guard === 'bans') return { ...nothing, ban: await withSystem(db, (tx) => readBan(tx, row)) }
  if (guard === 'siteMode') return { ...nothing, attackSince: await withSystem(db, (tx) => readAttack(tx, row)) }
  return null
}

const nothing: Before = { requests: null, ban: null, attackSince: null }

/** Logged requests of the same address to the site, this one included; sampled rows count as many as they stand for. */
async function countRequests(events: ClickHouseClient, scope: EventScope, { site, address, time }: RequestRow) {
  const span = spanClause((time - countedSeconds) * 1000, time * 1000 + 1)
  const same = { sql: 'address = toIPv6({address:String})', params: { address } }
  const where = allOf([scopeClause({ ...scope, sites: [site] }), span, same])
  const [found] = await queryRows<{ count: number }>(
    events,
    `SELECT toUInt32(sum(weight)) AS count FROM requests_raw_v1 WHERE ${where.sql}`,
    where.params,
  )
  return { count: found?.count ?? 0, seconds: countedSeconds }
}

async function readBan(db: Database, { site, address, time }: RequestRow): Promise<Before['ban']> {
  const { rows } = await sql<{ createdAt: Date; until: Date; guard: string; rule: number; reference: string }>`
    select created_at, until, guard, rule, reference from bans
    where site_id = ${site} and address >>= ${address}::inet
      and to_timestamp(${time}) between created_at - interval '1 second' and until limit 1`.execute(db)
  const [ban] = rows
  if (!ban) return null
  const { createdAt, until, ...why } = ban
  return { ...why, since: createdAt.toISOString(), until: until.toISOString() }
}

/** Since when any node saw the site under the attack that went on at the time. */
async function readAttack(db: Database, { site, time }: RequestRow): Promise<string | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(began_at) as since from site_attacks
    where site_id = ${site} and began_at <= to_timestamp(${time}) and coalesce(ended_at, 'infinity') >= to_timestamp(${time})`.execute(
    db,
  )
  return rows[0]?.since?.toISOString() ?? null
}
