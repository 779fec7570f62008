/**
 * What the firewall of a zone did with a request: the list entry, the rate limit or the ban that applied. In full for
 * callers who may see the zone.
 */
import { parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { ZoneBanCause } from '@breakwater/contract/edge/zone-bans.ts'
import type { ByZone } from '@breakwater/contract/logs/access.ts'
import { zoneAntiCC, zoneIpset } from '@breakwater/contract/nodes/zone-firewall.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { spanClause } from './log-rows.ts'

type World = { db: Database; events: ClickHouseClient }
/** The zone, and the scope of its events that the caller sees. */
export type SeenZone = { id: number; name: string; scope: EventScope }

/** A change reaches the nodes one by one: the revision before may be the one that refused. */
const revisionsLooked = 2

/**
 * Returns null if the zone's firewall did not decide. A customer has no `seen`: it learns only what concerns its own
 * request.
 */
export async function readByZone(
  { db, events }: World,
  row: RequestRow,
  seen: SeenZone | undefined,
): Promise<ByZone | null> {
  const found = await withSystem(db, async (tx): Promise<ByZone | null> => {
    if (row.guard === 'ipset') return { ...nothing, list: await readList(tx, row, seen) }
    if (row.guard === 'bansOfZone') return { ...nothing, ban: await readBan(tx, row, seen) }
    if (row.guard !== 'zoneAntiCC') return null
    return { ...nothing, limit: seen ? await readLimit(tx, row) : null, ban: await readBan(tx, row, seen) }
  })
  if (found === null || !seen) return found
  const { limit } = found
  const counted = limit && { ...limit, count: await countRequests(events, seen.scope, row, limit.seconds) }
  return { ...found, zone: { id: seen.id, name: seen.name }, limit: counted }
}

const nothing: ByZone = { zone: null, list: null, limit: null, ban: null }

type Revision = { revision: number; savedAt: Date; value: object | null }

/** A group of the zone's settings as it was at the time of the request: the last revisions only, newest first. */
async function revisionsAt(db: Database, { zone, time }: RequestRow, group: { name: string }): Promise<Revision[]> {
  const { rows } = await sql<Revision>`
    select revision, created_at as saved_at, body -> 'settings' -> ${group.name}::text as value from zone_revisions
    where zone_id = ${zone}::int and created_at <= to_timestamp(${time})
    order by revision desc limit ${revisionsLooked}`.execute(db)
  return rows
}

/** The entry of a zone's list, as saved, that matches an address; undefined if none does or the list is off. */
export function entryFor(value: object | null | undefined, address: string): string | undefined {
  const { enable, ips } = value ? zoneIpset.schema.parse(value) : zoneIpset.defaults
  const asked = parseAddress(address)
  if (!enable || !asked) return undefined
  return ips.find((entry) => {
    const range = parseRange(entry)
    return range?.family === asked.family && range.from <= asked.value && asked.value <= range.to
  })
}

async function readList(db: Database, row: RequestRow, seen: SeenZone | undefined): Promise<ByZone['list']> {
  const now = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', 'zone')
    .where('ownerId', '=', row.zone)
    .where('name', '=', zoneIpset.name)
    .executeTakeFirst()
  const isListed = entryFor(now?.value, row.address) !== undefined
  const unsaid = { isListed, entry: null, revision: null, savedAt: null }
  if (!seen) return unsaid
  for (const { revision, savedAt, value } of await revisionsAt(db, row, zoneIpset)) {
    const entry = entryFor(value, row.address)
    if (entry !== undefined) return { isListed, entry, revision, savedAt: savedAt.toISOString() }
  }
  return unsaid
}

async function readLimit(db: Database, row: RequestRow): Promise<ByZone['limit']> {
  for (const { value } of await revisionsAt(db, row, zoneAntiCC)) {
    const { enable, seconds, times } = value ? zoneAntiCC.schema.parse(value) : zoneAntiCC.defaults
    if (enable) return { count: 0, seconds, limit: times }
  }
  return null
}

/**
 * Counts logged requests of the address to all sites of the zone that the caller sees; a sampled row counts as many
 * times as its weight.
 */
async function countRequests(
  events: ClickHouseClient,
  scope: EventScope,
  { address, time }: RequestRow,
  seconds: number,
): Promise<number> {
  const span = spanClause((time - seconds) * 1000, time * 1000 + 1)
  const same = { sql: 'address = toIPv6({address:String})', params: { address } }
  const where = allOf([scopeClause(scope), span, same])
  const [found] = await queryRows<{ count: number }>(
    events,
    `SELECT toUInt32(sum(weight)) AS count FROM requests_raw_v1 WHERE ${where.sql}`,
    where.params,
  )
  return found?.count ?? 0
}

type BanRow = { createdAt: Date; until: Date; cause: ZoneBanCause; node: string }

/**
 * The ban that the address was under, or that this request triggered. The node that bans an address refuses its
 * requests before the control plane knows of the ban: hence the 10 seconds.
 */
async function readBan(
  db: Database,
  { zone, address, time, requestId }: RequestRow,
  seen: SeenZone | undefined,
): Promise<ByZone['ban']> {
  const { rows } = await sql<BanRow>`
    select created_at, least(until, lifted_at) as until, cause, node from zone_bans
    where zone_id = ${zone}::int and address >>= ${address}::inet and (request_id = ${requestId}
      or to_timestamp(${time}) between created_at - interval '10 seconds' and least(until, lifted_at)) limit 1`.execute(
    db,
  )
  const [ban] = rows
  if (!ban) return null
  const { createdAt, until, cause, node } = ban
  return { cause, since: createdAt.toISOString(), until: until.toISOString(), node: seen ? node : null }
}
