/** Stores bans that a node started, for every node that serves their sites. */
import { formatRange, parseRange } from '@breakwater/contract/addresses.ts'
import { type BanReport, bansOfSiteMax } from '@breakwater/contract/edge/bans.ts'
import { zoneWide } from '@breakwater/contract/edge/zone-bans.ts'
import { banPoints } from '@breakwater/contract/firewall/reputation.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { anyOf } from '../publish/gather.ts'
import { takeBanTurn } from './ban-sequence.ts'
import { protectedAddresses } from './protected-addresses.ts'
import { storeZoneBans } from './store-zone-bans.ts'

export type BanningNode = { name: string; zoneId: number; groupId: number | null }
type Ban = Pick<BanReport, 'site' | 'address'>

/**
 * `refused`: addresses that may not be banned, and those above a site's maximum. `foreign`: sites the node does not
 * serve.
 */
export type StoredBans = { refused: Ban[]; foreign: number[]; kept: number }

/** Whether the report bans a single client: one IPv4 address, or an IPv6 /64. */
export function isClient({ address }: Ban): boolean {
  const range = parseRange(address)
  if (range === undefined || formatRange(range) !== address) return false
  const bits = range.family === 4 ? 0n : 64n
  return range.to - range.from + 1n === 1n << bits
}

/** Runs as the system. Reporting the same request again changes nothing, even if the ban was lifted in the meantime. */
export async function storeBans(db: Database, node: BanningNode, all: readonly BanReport[]): Promise<StoredBans> {
  const clients = all.filter(isClient)
  const ofZone = clients.filter(({ site }) => site === zoneWide)
  const ofSites = await storeSiteBans(
    db,
    node,
    clients.filter(({ site }) => site !== zoneWide),
  )
  const refused = await storeZoneBans(db, node, ofZone)
  const wrong = all.filter((report) => !isClient(report))
  return {
    refused: [...ofSites.refused, ...[...refused, ...wrong].map(({ site, address }) => ({ site, address }))],
    foreign: ofSites.foreign,
    kept: ofSites.kept + ofZone.length - refused.length,
  }
}

async function storeSiteBans(db: Database, node: BanningNode, reports: readonly BanReport[]): Promise<StoredBans> {
  const asked = [...new Set(reports.map(({ site }) => site))]
  const served = await db
    .selectFrom('feedEntries')
    .innerJoin('sites', 'sites.id', 'feedEntries.siteId')
    .select(['sites.id', 'sites.tenantId'])
    .where('feedEntries.groupId', '=', node.groupId ?? 0)
    .where('feedEntries.siteId', '=', anyOf(asked))
    .where('feedEntries.artefact', 'is not', null)
    .execute()
  const tenants = new Map(served.map(({ id, tenantId }) => [id, tenantId]))
  const mayBan = await protectedAddresses(db, node.zoneId, [...tenants.keys()])
  const own = reports.filter(({ site }) => tenants.has(site))
  const allowed = own.filter((report) => mayBan(report.site, report.address))
  if (allowed.length > 0) await takeBanTurn(db, [...new Set(allowed.map(({ site }) => site))])
  const kept = await withinLimits(db, allowed)
  for (const report of kept) await keep(db, node, tenants.get(report.site)!, report)
  const isKept = new Set(kept)
  return {
    refused: own.filter((report) => !isKept.has(report)).map(({ site, address }) => ({ site, address })),
    foreign: asked.filter((site) => !tenants.has(site)),
    kept: kept.length,
  }
}

/**
 * The reports that fit within the sites' maximum. Under their zones' lock, so that two nodes cannot both take the last
 * place.
 */
async function withinLimits(db: Database, reports: readonly BanReport[]): Promise<BanReport[]> {
  const { rows } = await sql<{ siteId: number; n: number }>`
    select site_id, count(*)::int as n from bans
    where site_id = any(${[...new Set(reports.map(({ site }) => site))]}::int[]) and until > now() and lifted_at is null
    group by site_id`.execute(db)
  const counts = new Map(rows.map(({ siteId, n }) => [siteId, n]))
  return reports.filter(({ site }) => {
    const n = counts.get(site) ?? 0
    counts.set(site, n + 1)
    return n < bansOfSiteMax
  })
}

/** If two nodes started the same ban, the longer duration and the later cause apply. */
async function keep(db: Database, node: BanningNode, tenantId: number, report: BanReport): Promise<void> {
  const { site: siteId, address, guard, rule, cause, requestId, reference } = report
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('bans')
    .values({
      ...{ siteId, address, tenantId, guard, rule, cause, requestId, reference },
      ...{ zoneId: node.zoneId, node: node.name },
      until: sql<Date>`now() + make_interval(secs => ${report.seconds})`,
    })
    .onConflict((on) =>
      on
        .columns(['siteId', 'address'])
        .doUpdateSet((row) => ({
          until: sql<Date>`case when bans.lifted_at is null then greatest(bans.until, excluded.until) else excluded.until end`,
          sequence: sql<number>`nextval('ban_sequence')`,
          liftedAt: null,
          createdAt: sql<Date>`now()`,
          guard: row.ref('excluded.guard'),
          rule: row.ref('excluded.rule'),
          cause: row.ref('excluded.cause'),
          requestId: row.ref('excluded.requestId'),
          reference: row.ref('excluded.reference'),
          zoneId: row.ref('excluded.zoneId'),
          node: row.ref('excluded.node'),
        }))
        .where(sql<boolean>`bans.request_id <> excluded.request_id`),
    )
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return
  // Counts for the reputation of the address, long after the ban is over.
  await db
    .insertInto('banNotes')
    .values({ siteId, address, tenantId })
    .onConflict((on) =>
      on.columns(['siteId', 'address']).doUpdateSet({
        times: sql<number>`case when ban_notes.last_at < now() - make_interval(days => ${banPoints.daysMax}) then 1 else ban_notes.times + 1 end`,
        lastAt: sql<Date>`now()`,
      }),
    )
    .execute()
}
