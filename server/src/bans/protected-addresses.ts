/**
 * Addresses that are never banned, whatever they do: nodes, trusted proxies, and those that a site always lets pass.
 */
import { type AddressRange, parseRange } from '@breakwater/contract/addresses.ts'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { methods } from '@breakwater/contract/fields.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

const rangesOf = (texts: readonly string[]): AddressRange[] =>
  texts.flatMap((text) => {
    const range = parseRange(text)
    return range === undefined ? [] : [range]
  })

/** Whether two ranges overlap. For a banned /64, one common address is enough. */
const meet = (a: AddressRange, b: AddressRange): boolean => a.family === b.family && a.from <= b.to && b.from <= a.to

/** Returns whether an address may be banned from a site. */
export type MayBan = (siteId: number, address: string) => boolean

/** Loopback is where a machine's own tools connect from, and in a trial everybody. */
const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.')

/** Whether a range overlaps one of the others. */
export const meetsAny = (range: AddressRange, others: readonly AddressRange[]): boolean =>
  others.some((other) => meet(range, other))

/**
 * The protected addresses of a zone: its nodes, its trusted proxies, and the networks of the operator's staff. Runs as
 * the system.
 */
export async function protectedOfZone(db: Database, zoneId: number): Promise<AddressRange[]> {
  const nodes = await db
    .selectFrom('nodes')
    .select(['ip', 'publicAddresses', 'health'])
    .where('zoneId', '=', zoneId)
    .where('revokedAt', 'is', null)
    .execute()
  const ofNodes = nodes.flatMap(({ ip, publicAddresses, health }) => [
    ...[ip, ...publicAddresses],
    ...((health as NodeHealth | null)?.addresses ?? []),
  ])
  const { rows: networks } = await sql<{ network: string }>`
    select jsonb_array_elements_text(value -> 'networks') as network from settings
    where owner = 'zone' and owner_id = ${zoneId}::int and name = 'trustedProxies'
    union all
    select unnest(p.cidrs) from sign_in_policies p join zones z on z.operator_id = p.tenant_id where z.id = ${zoneId}::int`.execute(
    db,
  )
  return rangesOf([...ofNodes.filter((address) => !isLoopback(address)), ...networks.map(({ network }) => network)])
}

/**
 * The protected addresses of a zone plus, for each site, its allow rules that apply to every request. Runs as the
 * system.
 */
export async function protectedAddresses(db: Database, zoneId: number, siteIds: readonly number[]): Promise<MayBan> {
  const ofZone = await protectedOfZone(db, zoneId)
  const ofSites = await allowed(db, siteIds)
  return (siteId, address) => {
    const range = parseRange(address)
    return range !== undefined && !meetsAny(range, [...ofZone, ...(ofSites.get(siteId) ?? [])])
  }
}

type Allowed = { siteId: number; ips: string[] }

async function allowed(db: Database, siteIds: readonly number[]): Promise<Map<number, AddressRange[]>> {
  const { rows } = await sql<Allowed>`
    select r.site_id, r.body -> 'ips' as ips from rules r
    where r.site_id = any(${[...siteIds]}::int[]) and r.kind = 'allowRules' and r.enabled and r.mode = 'enforce'
      and (r.expires_at is null or r.expires_at > now()) and r.body ->> 'urlRegex' = ''
      and jsonb_array_length(r.body -> 'methodValues') = ${methods.length}`.execute(db)
  const ranges = new Map<number, AddressRange[]>()
  for (const { siteId, ips } of rows) ranges.set(siteId, [...(ranges.get(siteId) ?? []), ...rangesOf(ips)])
  return ranges
}
