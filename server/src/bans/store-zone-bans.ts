/** Stores bans from all sites of a zone that one of its nodes started. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { type BanReport, bansOfZoneMax } from '@breakwater/contract/edge/bans.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { takeZoneBanTurn } from './ban-sequence.ts'
import { meetsAny, protectedOfZone } from './protected-addresses.ts'

/**
 * Returns those not stored: addresses that are never banned, and those above the zone's maximum. Runs as the system.
 */
export async function storeZoneBans(
  db: Database,
  node: { name: string; zoneId: number },
  reports: readonly BanReport[],
): Promise<BanReport[]> {
  if (reports.length === 0) return []
  const spared = await protectedOfZone(db, node.zoneId)
  const allowed = reports.filter(({ address }) => !meetsAny(parseRange(address)!, spared))
  await takeZoneBanTurn(db, node.zoneId)
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from zone_bans where zone_id = ${node.zoneId}::int and until > now() and lifted_at is null`.execute(
    db,
  )
  const kept = allowed.slice(0, Math.max(0, bansOfZoneMax - (rows[0]?.n ?? 0)))
  // A batch may contain an address twice, but one statement can only change a row once.
  const last = [...new Map(kept.map((report) => [report.address, report])).values()]
  await sql`
    insert into zone_bans (zone_id, address, tenant_id, until, cause, request_id, node, asked)
    select z.id, r.address, z.operator_id, now() + make_interval(secs => r.seconds), r.cause, r.request_id, ${node.name}, r.asked
    from zones z, unnest(
      ${last.map(({ address }) => address)}::inet[], ${last.map(({ seconds }) => seconds)}::int[],
      ${last.map(({ guard }) => guard)}::text[], ${last.map(({ requestId }) => requestId)}::text[],
      ${last.map(({ asked }) => asked ?? '')}::text[]
    ) as r(address, seconds, cause, request_id, asked)
    where z.id = ${node.zoneId}::int
    on conflict (zone_id, address) do update set
      until = case when zone_bans.lifted_at is null then greatest(zone_bans.until, excluded.until) else excluded.until end,
      sequence = nextval('ban_sequence'), lifted_at = null, created_at = now(),
      cause = excluded.cause, request_id = excluded.request_id, node = excluded.node,
      asked = excluded.asked
    where zone_bans.request_id <> excluded.request_id`.execute(db)
  const isKept = new Set(kept)
  return reports.filter((report) => !isKept.has(report))
}
