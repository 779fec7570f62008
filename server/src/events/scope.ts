/**
 * Whose events a query may read. The sites come from the relational store, as the caller sees it, and restrict every
 * query: no filter can widen them.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { allOf, type Clause } from './clause.ts'

export type AskedScope = {
  siteIDs: number[]
  domainIDs: number[]
  domainTags?: string[] | undefined
  zoneIDs: number[]
}

/** The most domains that tags may select in one query. */
const taggedMax = 500

/** `domains` and `zones` are null if they do not restrict the query. Domains may be wildcards. */
export type EventScope = { sites: number[]; domains: string[] | null; zones: number[] | null }

/**
 * The requested scope, as far as the caller may see it. An id that the caller may not see is refused like one that does
 * not exist. Runs as the caller.
 */
export async function resolveScope(db: Database, tier: Tier, asked: AskedScope): Promise<EventScope> {
  const own = await db.selectFrom('sites').select('id').where('removedAt', 'is', null).orderBy('id').execute()
  const ownIds = new Set(own.map((row) => row.id))
  if (asked.siteIDs.some((id) => !ownIds.has(id))) throw new Fault('permissionDenied')
  const askedSites = asked.siteIDs.length > 0 ? [...new Set(asked.siteIDs)].sort((a, b) => a - b) : [...ownIds]
  // Customers do not know zones: the filter is ignored, not refused.
  const zones = tier === 'client' && asked.zoneIDs.length > 0 ? await requireZones(db, asked.zoneIDs) : null
  const { domainIDs, domainTags = [] } = asked
  if (domainIDs.length === 0 && domainTags.length === 0) return { sites: askedSites, domains: null, zones }
  const named = domainIDs.length > 0 ? await requireDomains(db, domainIDs) : undefined
  const withTags = domainTags.length > 0 ? await taggedDomains(db, askedSites, domainTags) : undefined
  const tagNames = new Set(withTags?.map(({ name }) => name))
  const domains = named && withTags ? named.filter(({ name }) => tagNames.has(name)) : (named ?? withTags ?? [])
  const sitesOfDomains = new Set(domains.map((domain) => domain.siteId))
  return {
    sites: askedSites.filter((id) => sitesOfDomains.has(id)),
    domains: [...new Set(domains.map((domain) => domain.name))].sort(),
    zones,
  }
}

async function requireDomains(db: Database, ids: number[]): Promise<{ siteId: number; name: string }[]> {
  const wanted = [...new Set(ids)]
  const rows = await db.selectFrom('domains').select(['siteId', 'name']).where('id', 'in', wanted).execute()
  if (rows.length !== wanted.length) throw new Fault('permissionDenied')
  return rows
}

/** The domains of the sites with one of the tags, case-insensitively. */
async function taggedDomains(db: Database, sites: number[], tags: string[]) {
  const lower = tags.map((tag) => tag.toLowerCase())
  const rows = await db
    .selectFrom('domains')
    .select(['siteId', 'name'])
    .where(sql<boolean>`site_id = any(${sites}::int[])`)
    .where(sql<boolean>`exists (select from unnest(domains.tags) t where lower(t) = any(${lower}::text[]))`)
    .limit(taggedMax + 1)
    .execute()
  if (rows.length > taggedMax) throw new Fault('itemsExceedLimit', { field: 'domainTags' })
  return rows
}

async function requireZones(db: Database, ids: number[]): Promise<number[]> {
  const wanted = [...new Set(ids)].sort((a, b) => a - b)
  const rows = await db.selectFrom('zones').select('id').where('id', 'in', wanted).execute()
  if (rows.length !== wanted.length) throw new Fault('permissionDenied')
  return wanted
}

/**
 * The scope as a condition. A single site is compared with `=`: only then does the engine read in the table's order.
 */
export function scopeClause({ sites, domains, zones }: EventScope): Clause {
  return allOf([
    sites.length === 1
      ? { sql: 'site = {site:UInt32}', params: { site: sites[0] } }
      : { sql: 'site IN {sites:Array(UInt32)}', params: { sites } },
    domains === null ? undefined : domainClause(domains),
    zones === null ? undefined : { sql: 'zone IN {zones:Array(UInt32)}', params: { zones } },
  ])
}

/** Rows contain the requested host; a wildcard matches every host below it. */
function domainClause(domains: string[]): Clause {
  const suffixes = domains.filter((name) => name.startsWith('*.')).map((name) => name.slice(1))
  if (suffixes.length === 0) return { sql: 'domain IN {domains:Array(String)}', params: { domains } }
  return {
    sql: '(domain IN {domains:Array(String)} OR arrayExists(suffix -> endsWith(domain, suffix), {suffixes:Array(String)}))',
    params: { domains, suffixes },
  }
}
