/**
 * What currently stands against an address besides the rules of a site: bans, the zone's deny list, its reputation; and
 * whether the site is under attack.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { zoneIpset } from '@breakwater/contract/nodes/zone-firewall.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { entryFor } from '../logs/explain-zone.ts'
import { spanClause } from '../logs/log-rows.ts'
import { scoresOfSite } from '../reputation/reputation.ts'

export type Standing = Required<Pick<SimulatedRequest, 'isBanned' | 'isUnderAttack' | 'score'>> &
  Pick<SimulatedRequest, 'zone'>

/**
 * Runs as the system. `isTold`: whether the caller may learn what other sites know of the address; otherwise its
 * reputation and the zone's bans and deny list are ignored.
 */
export async function standingOf(db: Database, siteId: number, address: string, isTold: boolean): Promise<Standing> {
  const { rows } = await sql<{ isBanned: boolean; isUnderAttack: boolean }>`select
    exists (select from bans where site_id = ${siteId}::int and address >>= ${address}::inet
      and until > now() and lifted_at is null) as is_banned,
    exists (select from site_attacks a join nodes n on n.id = a.node_id where a.site_id = ${siteId}::int
      and a.ended_at is null and n.last_seen_at > now() - interval '2 minutes') as is_under_attack`.execute(db)
  const own = rows[0]!
  if (!isTold) return { ...own, score: 0 }
  const score = (await scoresOfSite(db, siteId))([address])[address] ?? 0
  const zone = await refusalOfZone(db, siteId, address)
  return { ...own, score, ...(zone && { zone }) }
}

/** Whether the deny list or a ban of any zone that serves the site refuses the address. */
async function refusalOfZone(db: Database, siteId: number, address: string): Promise<Standing['zone']> {
  const { rows } = await sql<{ list: object | null; isBanned: boolean }>`
    select g.value as list, exists (select from zone_bans b where b.zone_id = z.id and b.address >>= ${address}::inet
      and b.until > now() and b.lifted_at is null) as is_banned
    from (select distinct groups.zone_id as id from sites s join product_groups p on p.product_id = s.product_id
      join groups on groups.id = p.group_id where s.id = ${siteId}::int) z
    left join settings g on g.owner = 'zone' and g.owner_id = z.id and g.name = ${zoneIpset.name}`.execute(db)
  if (rows.some(({ isBanned }) => isBanned)) return { guard: 'bansOfZone', outcome: 'block', cause: causes.drop }
  const isListed = rows.some(({ list }) => entryFor(list, address) !== undefined)
  return isListed ? { guard: 'ipset', outcome: 'block', cause: causes.denyList } : undefined
}

const knownForMs = 24 * 3_600_000

/** Whether the address sent the site any request within the last day, as far as rows are kept. */
export async function hasAsked(events: ClickHouseClient, siteId: number, address: string, now: Date): Promise<boolean> {
  const span = spanClause(now.getTime() - knownForMs, now.getTime() + 1)
  const same = { sql: 'address = toIPv6({address:String})', params: { address } }
  const where = allOf([scopeClause({ sites: [siteId], domains: null, zones: null }), span, same])
  const rows = await queryRows(events, `SELECT 1 FROM requests_raw_v1 WHERE ${where.sql} LIMIT 1`, where.params)
  return rows.length > 0
}
