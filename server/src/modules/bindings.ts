/** Which domains are bound to which modules. */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import type { ErrorName } from '@breakwater/contract/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'

/** The sites affected by a change of a module. */
export async function boundSites(db: Database, moduleId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select('domains.siteId')
    .distinct()
    .where('domainModules.moduleId', '=', moduleId)
    .execute()
  return rows.map((row) => row.siteId)
}

/** The names of the domains that are bound to a module. */
export async function boundNames(db: Database, moduleId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select('domains.name')
    .where('domainModules.moduleId', '=', moduleId)
    .execute()
  return rows.map((row) => row.name)
}

/** The modules that domains are bound to, in the API's format: 0 for none. */
export async function modulesOf(db: Database, domainIds: number[]): Promise<(domainId: number) => Domain['modules']> {
  const rows =
    domainIds.length === 0
      ? []
      : await db.selectFrom('domainModules').selectAll().where('domainId', 'in', domainIds).execute()
  const bound = new Map(rows.map(({ domainId, kind, moduleId }) => [`${kind}/${domainId}`, moduleId]))
  return (id) => ({
    cors: bound.get(`cors/${id}`) ?? 0,
    customHeader: bound.get(`customHeaders/${id}`) ?? 0,
    urlRedirect: bound.get(`urlRedirects/${id}`) ?? 0,
    tokenAuth: bound.get(`tokenAuths/${id}`) ?? 0,
    waf: bound.get(`waf/${id}`) ?? 0,
    luaAcl: bound.get(`luaAcls/${id}`) ?? 0,
    proxyRewrite: bound.get(`proxyRewrites/${id}`) ?? 0,
  })
}

/** Binds domains of a site to a module, or to none. Returns how many of the domains exist. */
export async function bindDomains(
  db: Database,
  site: { id: number; tenantId: number },
  kind: string,
  domainIds: number[],
  moduleId: number | undefined,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    update domains set updated_at = now() where site_id = ${site.id} and id = any(${domainIds}::int[]) returning id`.execute(
    db,
  )
  const ids = rows.map(({ id }) => id)
  const of: RawBuilder<number> = sql<number>`any(${ids}::int[])`
  if (moduleId === undefined)
    await db.deleteFrom('domainModules').where('domainId', '=', of).where('kind', '=', kind).execute()
  else if (ids.length > 0)
    await db
      .insertInto('domainModules')
      .values(ids.map((domainId) => ({ domainId, kind, moduleId, tenantId: site.tenantId })))
      .onConflict((on) => on.columns(['domainId', 'kind']).doUpdateSet({ moduleId }))
      .execute()
  return ids.length
}

/**
 * The highest number of items of a kind that any of these sites has, over all modules that its domains are bound to.
 */
async function mostBound(db: Database, kind: string, siteIds: number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(max(n), 0)::int as n from (
      select b.site_id, count(*) as n
      from (
        select distinct d.site_id, m.module_id from domains d join domain_modules m on m.domain_id = d.id
        where d.site_id = any(${siteIds}::int[]) and m.kind = ${kind}) b
      join rules r on r.module_id = b.module_id
      group by b.site_id) counted`.execute(db)
  return rows[0]!.n
}

/**
 * Throws if one of the sites has more items of a kind than allowed. Runs as the system, because sites that the caller
 * cannot see count too.
 */
export async function requireRoom(
  db: Database,
  kind: string,
  { max, fault }: { max: number; fault: ErrorName },
  siteIds: number[],
): Promise<void> {
  if (siteIds.length === 0) return
  const most = await asSystem(db, (tx) => mostBound(tx, kind, siteIds))
  if (most > max) throw new Fault(fault, { max })
}
