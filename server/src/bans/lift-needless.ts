/** Lifts bans that should not stand any more: of addresses that came to be let pass, and of sites that ban nobody now. */
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { type BannedAddress, liftBans } from './lift-bans.ts'
import { protectedAddresses } from './protected-addresses.ts'
import { withoutWholeMask } from './read-bans.ts'

type Standing = BannedAddress & { zoneId: number; isOff: boolean }

/** Those in force, with whether their site has neither whole-site protection nor anti-CC rules: its nodes then ask nobody for bans. */
async function standing(db: Database): Promise<Standing[]> {
  const { rows } = await sql<Standing>`
    select b.site_id, b.address::text as address, b.zone_id, s.is_off from bans b join (
      select id, not coalesce((settings -> 'siteMode' ->> 'enable')::boolean, false) and not exists (
        select from rules r where r.site_id = sites.id and r.kind = 'antiCC' and r.enabled) as is_off
      from sites) s on s.id = b.site_id
    where b.until > now() and b.lifted_at is null`.execute(db)
  return rows
}

/** Returns how many. */
export function liftNeedlessBans({ database }: Pick<Services, 'database'>): Promise<number> {
  return withSystem(database.db, async (db) => {
    const lifted: BannedAddress[] = []
    for (const [zoneId, bans] of Map.groupBy(await standing(db), (ban) => ban.zoneId)) {
      const mayBan = await protectedAddresses(db, zoneId, [...new Set(bans.map(({ siteId }) => siteId))])
      for (const { siteId, address, isOff } of bans)
        if (isOff || !mayBan(siteId, withoutWholeMask(address))) lifted.push({ siteId, address })
    }
    await liftBans(db, lifted)
    return lifted.length
  })
}
