/** Checks domains in the background: where their DNS points, and whether pending ones are now proven. */
import { cnameStatuses } from '@breakwater/contract/domains/bulk.ts'
import type { ProofKind } from '@breakwater/contract/domains/domains.ts'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import type { Services } from '../process/services.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { publishSites } from '../publish/publish-sites.ts'
import { claim } from './claims.ts'
import { checkDns, type DnsLookup, type Wanted } from './dns-check.ts'
import { dnsTargetOf } from './dns-target.ts'
import { proofRecord } from './domains.store.ts'
import { findProof } from './proof.ts'

/** Domains per run, and how many of them are checked concurrently. */
const turnMax = 500
const atOnce = 25

export type Checked = { id: number; state: number; proof: ProofKind | undefined }
type Due = Wanted & { id: number; siteId: number; isPending: boolean }

const states = { pointing: cnameStatuses.pointing, elsewhere: cnameStatuses.elsewhere, absent: cnameStatuses.absent }

/** Checks domains over the network. Must not run in a transaction. */
export async function lookAt(services: Pick<Services, 'guard'>, lookup: DnsLookup, domains: Due[]): Promise<Checked[]> {
  const checked: Checked[] = []
  for (let from = 0; from < domains.length; from += atOnce) {
    const some = domains.slice(from, from + atOnce)
    checked.push(
      ...(await Promise.all(
        some.map(async (domain) => {
          const [{ state }, proof] = await Promise.all([
            checkDns(lookup, domain),
            domain.isPending ? findProof({ guard: services.guard, lookup }, domain) : undefined,
          ])
          return { id: domain.id, state: states[state], proof }
        }),
      )),
    )
  }
  return checked
}

/** What to check of these domains. Runs as any role that may see them. */
export async function dueOf(
  db: Database,
  rows: { id: number; siteId: number; name: string; proof: string; ownership: string }[],
  edgeDomain: string,
): Promise<Due[]> {
  const siteIds = [...new Set(rows.map(({ siteId }) => siteId))]
  const sites = await db
    .selectFrom('sites')
    .select(['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'])
    .where('id', 'in', [0, ...siteIds])
    .execute()
  const entrances = new Map<number, Awaited<ReturnType<typeof dnsTargetOf>>>()
  for (const site of sites) entrances.set(site.id, await dnsTargetOf(db, site, edgeDomain))
  return rows.map(({ id, siteId, name, proof, ownership }) => ({
    id,
    siteId,
    domain: name,
    isPending: ownership === 'pending',
    ...entrances.get(siteId)!,
    ...proofRecord(name, proof),
  }))
}

/** Stores the results. */
export async function keepChecked(db: Database, checked: Checked[]): Promise<void> {
  await sql`
    update domains d set dns_state = t.state, dns_checked_at = now()
    from unnest(${checked.map(({ id }) => id)}::int[], ${checked.map(({ state }) => state)}::smallint[]) as t (id, state)
    where d.id = t.id`.execute(db)
}

/**
 * One run: domains that were never checked come first, then pending ones every five minutes during their first three
 * days, and all others every hour. Returns how many were checked.
 */
export async function checkDomains(
  services: Pick<Services, 'database' | 'env' | 'guard' | 'publisher'>,
  lookup: DnsLookup,
): Promise<number> {
  const { env, database, publisher } = services
  const due = await withSystem(database.db, async (db) => {
    const { rows } = await sql<{ id: number; siteId: number; name: string; proof: string; ownership: string }>`
      select d.id, d.site_id, d.name, d.proof, d.ownership from domains d join sites s on s.id = d.site_id
      where d.status = 1 and d.ownership <> 'preview' and s.removed_at is null and (d.dns_checked_at is null
        or d.dns_checked_at < now() - case when d.ownership = 'pending' and d.created_at > now() - interval '3 days'
          then interval '5 minutes' else interval '1 hour' end)
      order by d.dns_checked_at nulls first, d.id limit ${turnMax}`.execute(db)
    return dueOf(db, rows, env.edgeDomain)
  })
  if (due.length === 0) return 0
  const checked = await lookAt(services, lookup, due)
  await withSystem(database.db, (db) => keepChecked(db, checked))
  for (const { id, proof } of checked) {
    const domain = due.find((one) => one.id === id)!
    if (proof !== undefined) await withSystem(database.db, (db) => proveInBackground(db, domain, proof, publisher))
  }
  return due.length
}

/**
 * Audits for the customer that a name is proven, and publishes its site. A name that another customer proved earlier
 * stays theirs.
 */
export async function proveInBackground(
  db: Database,
  { id, siteId, domain }: Due,
  by: ProofKind,
  publisher: Services['publisher'],
): Promise<void> {
  if (!(await claim(db, { id, siteId, name: domain }, publisher, ''))) return
  const [site] = await lockSites(db, [siteId])
  if (!site) return
  await publishSites(db, [site], publisher, { actor: '', action: 'site.domain.prove', summary: domain })
  await db
    .insertInto('audit')
    .values({
      ...{ tenantId: site.tenantId, accountName: '', tier: 'user', action: 'site.domain.prove', method: '', url: '' },
      ...{ requestId: '', address: '', siteId, detail: JSON.stringify({ name: domain, by }) },
    })
    .execute()
}
