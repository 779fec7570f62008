/** Lifts bans that no longer apply: of addresses that are now allowed, and of sites and zones that no longer ban. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import type { ZoneBanCause } from '@breakwater/contract/edge/zone-bans.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { type BannedAddress, liftBans, liftZoneBans } from './lift-bans.ts'
import { meetsAny, protectedAddresses, protectedOfZone } from './protected-addresses.ts'
import { withoutWholeMask } from './read-bans.ts'

type Standing = BannedAddress & { zoneId: number; isOff: boolean }

/**
 * The active bans, and whether their site has neither whole-site protection nor anti-CC rules: its nodes then fetch no
 * bans.
 */
async function standing(db: Database): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select b.site_id, b.address::text as address, b.zone_id, s.is_off from bans b join (
      select id, not coalesce((settings -> 'siteMode' ->> 'enable')::boolean, false) and not exists (
        select from rules r where r.site_id = sites.id and r.kind = 'antiCC' and r.enabled) as is_off
      from sites) s on s.id = b.site_id
    where b.until > now() and b.lifted_at is null`.execute(db)
  return rows
}

/** Returns how many were lifted. */
export function liftNeedlessBans({ database }: Pick<Services, 'database'>): Promise<number> {
  return withSystem(database.db, async (db) => {
    const lifted: BannedAddress[] = []
    for (const [zoneId, bans] of Map.groupBy(await standing(db), (ban) => ban.zoneId)) {
      const mayBan = await protectedAddresses(db, zoneId, [...new Set(bans.map(({ siteId }) => siteId))])
      for (const { siteId, address, isOff } of bans)
        if (isOff || !mayBan(siteId, withoutWholeMask(address))) lifted.push({ siteId, address })
    }
    await liftBans(db, lifted)
    return lifted.length + (await liftNeedlessOfZones(db))
  })
}

type StandingOfZone = { zoneId: number; address: string; isOff: boolean }

/** By cause, the SQL condition that the setting behind it is on. Settings that were never saved are off. */
const isOn: Record<ZoneBanCause, string> = {
  zoneAntiCC: "s.name = 'anticc' and (s.value ->> 'enable')::boolean",
  invalidDomain: "s.name = 'invalidDomainLimitCount' and (s.value ->> 'invalidDomainLimitCount')::int > 0",
  failedHandshakes: "s.name = 'tlsLimitCount' and (s.value ->> 'tlsLimitCount')::int > 0",
}

async function liftNeedlessOfZones(db: Database): Promise<number> {
  const conditions = Object.entries(isOn).map(([cause, on]) => `b.cause = '${cause}' and ${on}`)
  const { rows } = await sql<StandingOfZone>`
    select b.zone_id, b.address::text as address, not exists (
      select from settings s where s.owner = 'zone' and s.owner_id = b.zone_id and (${sql.raw(conditions.join(' or '))})) as is_off
    from zone_bans b where b.until > now() and b.lifted_at is null`.execute(db)
  let count = 0
  for (const [zoneId, bans] of Map.groupBy(rows, (ban) => ban.zoneId)) {
    const spared = await protectedOfZone(db, zoneId)
    const needless = bans.filter(
      ({ address, isOff }) => isOff || meetsAny(parseRange(withoutWholeMask(address))!, spared),
    )
    count += (
      await liftZoneBans(
        db,
        zoneId,
        needless.map(({ address }) => address),
      )
    ).length
  }
  return count
}
