/** Adds domains to a site, one or a thousand, with the same statements. The caller holds the site's lock. */
import { randomBytes } from 'node:crypto'
import type { UpstreamInput } from '@breakwater/contract/domains/domains.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { Fault, Faults } from '../http/fault.ts'
import { makeLicenseChecks } from '../licenses/limits.ts'
import type { Services } from '../process/services.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { clashesOf, requireDomainRoom } from './adding.ts'

export type NewDomain = {
  name: string
  status: number
  scheme: number
  portMap: Record<string, number>
  tags: string[]
  balance: number
  upstreams: UpstreamInput[]
  /** The ownership if it is already known, from a domain of the same customer with that name. */
  proven?: { ownership: 'pending' | 'proven' | 'approved' | 'preview'; proof: string }
}

/** Returns the ids in the order of the domains. Throws 401002, 101009 with the reason for each name, or 401008. */
export async function addDomains(
  db: Database,
  site: LockedSite,
  domains: NewDomain[],
  env: Services['env'],
): Promise<number[]> {
  await requireDomainRoom(db, site, domains.length)
  await makeLicenseChecks(env).requireRoom(db, site.tenantId, 'domains', domains.length)
  const names = domains.map(({ name }) => name)
  const claimed = domains.filter(({ proven }) => !proven).map(({ name }) => name)
  const clashes = await clashesOf(db, site, names, env.edgeDomain, claimed)
  // A single name that is held elsewhere gets that specific error, not the one for several.
  const [first] = clashes
  const isHeld = domains.length === 1 && first?.reason === 'domainEnabledElsewhere'
  if (first) throw new Faults(clashes, isHeld ? first.reason : undefined)
  const bare = domains.filter(({ status, upstreams }) => status === 1 && !upstreams.some(({ enabled }) => enabled))
  if (bare.length > 0) {
    if (domains.length === 1) throw new Fault('noEnabledUpstream')
    throw new Faults([{ reason: 'noEnabledUpstream', targets: bare.map(({ name }) => name) }])
  }
  const { rows } = await sql<{ id: number; name: string }>`
    insert into domains (tenant_id, site_id, name, status, scheme, port_map, tags, balance, ownership, proof)
    select ${site.tenantId}, ${site.id}, d.name, d.status, d.scheme, d."portMap", d.tags, d.balance, d.ownership, d.proof
    from jsonb_to_recordset(${JSON.stringify(domains.map(rowOf))}::jsonb) as d (at int, name text, status smallint,
      scheme smallint, "portMap" jsonb, tags text[], balance smallint, ownership text, proof text)
    order by d.at returning id, name`.execute(db)
  const ids = new Map(rows.map(({ id, name }) => [name, id]))
  await addUpstreams(
    db,
    site.tenantId,
    domains.map(({ name, upstreams }) => ({ domainId: ids.get(name)!, upstreams })),
  )
  return names.map((name) => ids.get(name)!)
}

const rowOf = ({ upstreams: _, proven, ...domain }: NewDomain, at: number) => ({
  ...domain,
  at,
  ownership: proven?.ownership ?? 'pending',
  proof: proven?.proof ?? randomBytes(16).toString('hex'),
})

/** Adds origins to domains of one customer. */
export async function addUpstreams(
  db: Database,
  tenantId: number,
  of: { domainId: number; upstreams: UpstreamInput[] }[],
): Promise<void> {
  const rows = of.flatMap(({ domainId, upstreams }) => upstreams.map((upstream) => ({ domainId, ...upstream })))
  if (rows.length === 0) return
  await sql`
    insert into upstreams (tenant_id, domain_id, ip, port, weight, backup, enabled, tls, memo)
    select ${tenantId}, u.domain_id, u.ip, u.port, u.weight, u.backup, u.enabled, u.tls, u.memo
    from jsonb_to_recordset(${JSON.stringify(rows.map(({ domainId, ...row }, at) => ({ at, domain_id: domainId, ...row })))}::jsonb)
      as u (at int, domain_id int, ip text, port int, weight int, backup boolean, enabled boolean, tls boolean, memo text)
    order by u.at`.execute(db)
}
