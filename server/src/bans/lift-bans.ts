/** Lifts bans and notifies every node that serves the sites or the zone. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { takeBanTurn, takeZoneBanTurn } from './ban-sequence.ts'

export type BannedAddress = { siteId: number; address: string }

/** Lifts bans. Runs as the system: the caller's right to do so was checked before. */
export async function liftBans(db: Database, bans: readonly BannedAddress[]): Promise<void> {
  if (bans.length === 0) return
  await takeBanTurn(db, [...new Set(bans.map(({ siteId }) => siteId))])
  await sql`
    update bans set lifted_at = now(), sequence = nextval('ban_sequence')
    from unnest(${bans.map(({ siteId }) => siteId)}::int[], ${bans.map(({ address }) => address)}::inet[]) as asked(site, ip)
    where bans.site_id = asked.site and bans.address = asked.ip and bans.lifted_at is null`.execute(db)
  // An address whose ban was lifted was banned for nothing, so the ban does not count for its reputation.
  await sql`
    delete from ban_notes using unnest(${bans.map(({ siteId }) => siteId)}::int[], ${bans.map(({ address }) => address)}::inet[]) as asked(site, ip)
    where ban_notes.site_id = asked.site and ban_notes.address = asked.ip`.execute(db)
}

/** The same for addresses banned from a whole zone; returns those that were banned. Runs as the system. */
export async function liftZoneBans(db: Database, zoneId: number, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  await takeZoneBanTurn(db, zoneId)
  const { rows } = await sql<{ ip: string }>`
    update zone_bans set lifted_at = now(), sequence = nextval('ban_sequence')
    where zone_id = ${zoneId}::int and address = any(${[...addresses]}::inet[]) and lifted_at is null and until > now()
    returning address::text as ip`.execute(db)
  return rows.map(({ ip }) => ip)
}
