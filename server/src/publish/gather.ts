/** Reading sites' documents as they are now, in a handful of statements however many the sites are. Runs as the caller. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SavedDomain, SavedRule, SavedUpstream, SiteDocument } from './document.ts'

/** One site's document. Throws when there is no such site. */
export async function gatherDocument(db: Database, siteId: number): Promise<SiteDocument> {
  return (await gatherDocuments(db, [siteId]))[0]!
}

/** The documents of sites, in the order asked for. What several of them have in common, a module, is one object in all. */
export async function gatherDocuments(db: Database, siteIds: number[]): Promise<SiteDocument[]> {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'label', 'status', 'name', 'tags', 'settings'])
    .where('id', '=', anyOf(siteIds))
    .execute()
  const sites = new Map(rows.map((row) => [row.id, row]))
  const domains = await gatherDomains(db, siteIds)
  const moduleIds = new Set(
    [...domains.values()].flatMap((of) => of.flatMap((domain) => domain.customHeaderModuleId ?? [])),
  )
  const { ofSites, ofModules } = await gatherRules(db, siteIds, [...moduleIds])
  const modules = await gatherModules(db, [...moduleIds], ofModules)
  return siteIds.map((id) => {
    const row = sites.get(id)
    if (!row) throw new Error(`there is no site ${id}`)
    const { settings, ...site } = row
    const own = domains.get(id) ?? []
    const bound = own.flatMap(({ customHeaderModuleId: module }) => (module === null ? [] : [module]))
    return {
      site,
      settings,
      domains: own,
      rules: byKind(ofSites.get(id) ?? []),
      modules: Object.fromEntries(
        bound.flatMap((module) => (modules.has(module) ? [[module, modules.get(module)!]] : [])),
      ),
    }
  })
}

/** One parameter however many there are: a statement takes 65,535 at most. */
const anyOf = (ids: number[]): RawBuilder<number> => sql<number>`any(${ids}::int[])`

async function gatherDomains(db: Database, siteIds: number[]): Promise<Map<number, SavedDomain[]>> {
  const rows = await db.selectFrom('domains').selectAll().where('siteId', '=', anyOf(siteIds)).orderBy('id').execute()
  const upstreams = rows.length === 0 ? new Map<number, SavedUpstream[]>() : await gatherUpstreams(db, rows)
  return grouped(rows, ({ tenantId: _t, siteId, createdAt: _c, updatedAt: _u, ...row }) => [
    siteId,
    { ...row, upstreams: upstreams.get(row.id) ?? [] },
  ])
}

async function gatherUpstreams(db: Database, domains: { id: number }[]): Promise<Map<number, SavedUpstream[]>> {
  const ids = domains.map(({ id }) => id)
  const rows = await db.selectFrom('upstreams').selectAll().where('domainId', '=', anyOf(ids)).orderBy('id').execute()
  return grouped(rows, ({ tenantId: _, domainId, ...upstream }) => [domainId, upstream])
}

async function gatherModules(db: Database, moduleIds: number[], rules: Map<number, OfKind[]>) {
  if (moduleIds.length === 0) return new Map<number, SiteDocument['modules'][string]>()
  const rows = await db
    .selectFrom('modules')
    .select(['id', 'name', 'kind'])
    .where('id', '=', anyOf(moduleIds))
    .execute()
  return new Map(
    rows.map(({ id, name, kind }) => [id, { name, kind, rules: (rules.get(id) ?? []).map(({ rule }) => rule) }]),
  )
}

type OfKind = { kind: string; rule: SavedRule }

async function gatherRules(db: Database, siteIds: number[], moduleIds: number[]) {
  const rows = await db
    .selectFrom('rules')
    .selectAll()
    .where((on) =>
      on.or([
        on('siteId', '=', anyOf(siteIds)),
        ...(moduleIds.length > 0 ? [on('moduleId', '=', anyOf(moduleIds))] : []),
      ]),
    )
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const of = (owner: 'siteId' | 'moduleId') =>
    grouped(
      rows.filter((row) => row[owner] !== null),
      (row): [number, OfKind] => [row[owner]!, { kind: row.kind, rule: savedRule(row) }],
    )
  return { ofSites: of('siteId'), ofModules: of('moduleId') }
}

type RuleRow = Omit<SavedRule, 'expiresAt' | 'createdAt'> & { expiresAt: Date | null; createdAt: Date }

function savedRule({
  id,
  sort,
  enabled,
  mode,
  body,
  bodyVersion,
  memo,
  createdBy,
  expiresAt,
  createdAt,
}: RuleRow): SavedRule {
  return {
    id,
    sort,
    enabled,
    mode,
    body,
    bodyVersion,
    memo,
    createdBy,
    expiresAt: expiresAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}

function byKind(rules: OfKind[]): Record<string, SavedRule[]> {
  const groups: Record<string, SavedRule[]> = {}
  for (const { kind, rule } of rules) {
    groups[kind] ??= []
    groups[kind].push(rule)
  }
  return groups
}

/** Rows by their owner, in the order they came in. */
function grouped<R, V>(rows: R[], entry: (row: R) => [number, V]): Map<number, V[]> {
  const groups = new Map<number, V[]>()
  for (const row of rows) {
    const [owner, value] = entry(row)
    const group = groups.get(owner)
    if (group) group.push(value)
    else groups.set(owner, [value])
  }
  return groups
}
