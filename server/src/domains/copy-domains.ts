/**
 * Creates domains with everything that another domain of the same customer has: origins, settings, modules and rules.
 */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Services } from '../process/services.ts'
import { anyOf } from '../publish/gather.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { addDomains } from './add-domains.ts'
import { upstreamsOf } from './domains.store.ts'

/** Runs as the caller, who holds the lock of the target site. Returns the ids in the order of the copies. */
export async function copyDomains(
  db: Database,
  site: LockedSite,
  copies: { source: number; name: string; isDisabled?: boolean }[],
  env: Services['env'],
): Promise<number[]> {
  const { portType } = await db
    .selectFrom('products')
    .select('portType')
    .where('id', '=', site.productId)
    .executeTakeFirstOrThrow()
  if (portType !== 7) throw new Fault('inconsistentPorts')
  const sourceIds = [...new Set(copies.map(({ source }) => source))]
  const sources = await db.selectFrom('domains').selectAll().where('id', '=', anyOf(sourceIds)).execute()
  const upstreams = Map.groupBy(await upstreamsOf(db, sourceIds), ({ domainId }) => domainId)
  const made = copies.map(({ source, name, isDisabled }) => {
    const row = sources.find(({ id }) => id === source)!
    const origins = (upstreams.get(source) ?? []).map(({ id: _, domainId: __, ...origin }) => origin)
    const { scheme, portMap, tags, balance, ownership, proof } = row
    const canServe = origins.some(({ enabled }) => enabled)
    return {
      ...{ name, scheme, portMap, tags, balance, upstreams: origins },
      status: isDisabled || !canServe ? 0 : 1,
      // A proof of ownership holds for every site of the same customer.
      ...(name === row.name && { proven: { ownership, proof } }),
    }
  })
  const ids = await addDomains(db, site, made, env)
  const pairs = { from: copies.map(({ source }) => source), to: ids }
  await sql`
    insert into domain_modules (domain_id, kind, module_id, tenant_id)
    select t.made, m.kind, m.module_id, m.tenant_id
    from unnest(${pairs.from}::int[], ${pairs.to}::int[]) as t (source, made) join domain_modules m on m.domain_id = t.source`.execute(
    db,
  )
  await sql`
    insert into rules (tenant_id, domain_id, kind, sort, enabled, mode, body, body_version, unique_key, memo, created_by, expires_at)
    select r.tenant_id, t.made, r.kind, r.sort, r.enabled, r.mode, r.body, r.body_version, r.unique_key, r.memo, r.created_by, r.expires_at
    from unnest(${pairs.from}::int[], ${pairs.to}::int[]) as t (source, made) join rules r on r.domain_id = t.source
    order by t.made, r.sort, r.id`.execute(db)
  return ids
}
