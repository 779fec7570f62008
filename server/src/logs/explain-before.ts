/**
 * The history behind a request whose guard decides by history: the number of requests of its address, the ban it was
 * under, the attack.
 */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Frequency } from '@breakwater/contract/firewall/frequencies.ts'
import type { Before } from '@breakwater/contract/logs/access.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { bodyOf, type Parts, type SitePart } from '../publish/part.ts'
import { documentAt } from '../publish/read.ts'
import { spanClause } from './log-rows.ts'

type World = { db: Database; events: ClickHouseClient; parts: Parts }
/** An address may send `limit` requests in `seconds` before a rule acts. */
type Counted = { seconds: number; limit: number }

/**
 * `rule` is the rule that decided, as it was then. Returns null if the guard decides by the request alone, or counts
 * over all sites of the zone. Values that are no longer stored are null. The caller must be allowed to see the site.
 */
export async function readBefore(
  { db, events, parts }: World,
  scope: EventScope,
  row: RequestRow,
  rule: Record<string, unknown> | undefined,
): Promise<Before | null> {
  const { guard } = row
  const counted = rule && (await countedBy({ db, parts }, row, rule))
  if (counted) return { ...nothing, requests: await countRequests(events, scope, row, counted) }
  if (guard === 'bans') return { ...nothing, ban: await withSystem(db, (tx) => readBan(tx, row)) }
  if (guard === 'siteMode') return { ...nothing, attackSince: await withSystem(db, (tx) => readAttack(tx, row)) }
  return null
}

const nothing: Before = { requests: null, ban: null, attackSince: null }

async function countedBy(
  { db, parts }: Pick<World, 'db' | 'parts'>,
  { guard, site, revision }: RequestRow,
  rule: Record<string, unknown>,
): Promise<Counted | undefined> {
  if (guard === 'intervalRules') return countedIn(rule as { seconds: number; times: number })
  if (guard === 'rateRules') {
    const { rate, burst } = rule as { rate: number; burst: number }
    // The time in which a full bucket drains.
    const seconds = Math.max(1, Math.ceil(burst / rate))
    return { seconds, limit: burst + rate * seconds }
  }
  if (guard !== 'antiCC') return undefined
  const document = await withSystem(db, (tx) => documentAt(tx, parts, site, revision))
  // The frequencies that the operator offered then.
  const part = parts.find(({ name }) => name === 'operatorFrequencies') as SitePart<{ items: Frequency[] }> | undefined
  const frequency = document && part && bodyOf(document, part).items.find(({ id }) => id === rule.type)
  return frequency && countedIn(frequency)
}

const countedIn = ({ seconds, times }: { seconds: number; times: number }): Counted => ({ seconds, limit: times })

/**
 * Counts logged requests of the same address to the site, including this one; a sampled row counts as many times as its
 * weight.
 */
async function countRequests(
  events: ClickHouseClient,
  scope: EventScope,
  { site, address, time }: RequestRow,
  counted: Counted,
) {
  const span = spanClause((time - counted.seconds) * 1000, time * 1000 + 1)
  const same = { sql: 'address = toIPv6({address:String})', params: { address } }
  const where = allOf([scopeClause({ ...scope, sites: [site] }), span, same])
  const [found] = await queryRows<{ count: number }>(
    events,
    `SELECT toUInt32(sum(weight)) AS count FROM requests_raw_v1 WHERE ${where.sql}`,
    where.params,
  )
  return { count: found?.count ?? 0, ...counted }
}

/**
 * The node that bans an address refuses its requests before the control plane knows of the ban: hence the 10 seconds.
 */
async function readBan(db: Database, { site, address, time }: RequestRow): Promise<Before['ban']> {
  const { rows } = await sql<{ createdAt: Date; until: Date; guard: string; rule: number; reference: string }>`
    select created_at, least(until, lifted_at) as until, guard, rule, reference from bans
    where site_id = ${site} and address >>= ${address}::inet
      and to_timestamp(${time}) between created_at - interval '10 seconds' and least(until, lifted_at) limit 1`.execute(
    db,
  )
  const [ban] = rows
  if (!ban) return null
  const { createdAt, until, ...why } = ban
  return { ...why, since: createdAt.toISOString(), until: until.toISOString() }
}

/** When the first node detected the attack on the site that was in progress at the time. */
async function readAttack(db: Database, { site, time }: RequestRow): Promise<string | null> {
  const { rows } = await sql<{ since: Date | null }>`
    select min(began_at) as since from site_attacks
    where site_id = ${site} and began_at <= to_timestamp(${time}) and coalesce(ended_at, 'infinity') >= to_timestamp(${time})`.execute(
    db,
  )
  return rows[0]?.since?.toISOString() ?? null
}
