/** Changing many sites by one call: all of them, or none and the reason of each (101009). */
import type { Database } from '../db/database.ts'
import { Fault, Faults } from '../http/fault.ts'
import { publishMany } from './change-many.ts'
import type { ChangeCall } from './change-site.ts'
import { type LockedSite, lockSites } from './locked-sites.ts'
import type { Publisher } from './publisher.ts'

/** The sites of a bulk call, locked, each once. Throws where the caller knows no such site. */
export async function requireSites(db: Database, siteIds: number[]): Promise<LockedSite[]> {
  const wanted = [...new Set(siteIds)]
  const sites = await lockSites(db, wanted)
  const missing = wanted.filter((id) => !sites.some((site) => site.id === id))
  if (missing.length === 0) return sites
  if (wanted.length === 1) throw new Fault('permissionDenied')
  throw new Faults([{ reason: 'permissionDenied', targets: missing.map(String) }])
}

/** Throws the refusals of a bulk call, in the words of the one where there is one target. */
export function refuseAll(list: ConstructorParameters<typeof Faults>[0], count: number): void {
  const [first] = list
  if (first) throw count === 1 ? new Fault(first.reason, first.extra) : new Faults(list)
}

/**
 * Runs a change of sites and publishes them at all nodes at once: what stops a site or lets it serve again waits for no
 * steps. `productId` is the product that they are of from now on.
 */
export async function changeSites(
  call: ChangeCall,
  siteIds: number[],
  publisher: Publisher,
  { summary = '', productId }: { summary?: string; productId?: number },
  change: (db: Database, sites: LockedSite[]) => Promise<void>,
): Promise<void> {
  const { db, caller, audit } = call
  const sites = await requireSites(db, siteIds)
  await change(db, sites)
  const about = { actor: caller.accountName, action: audit.action ?? '', summary }
  await publishMany(
    db,
    productId === undefined ? sites : sites.map((site) => ({ ...site, productId })),
    publisher,
    about,
    { isAtOnce: true },
  )
  noteSites(audit, sites)
}

/** Says in an audit entry which sites it is about, and whose they are where they are one customer's. */
export function noteSites(audit: ChangeCall['audit'], sites: LockedSite[]): void {
  const tenants = new Set(sites.map(({ tenantId }) => tenantId))
  const [first] = sites
  if (sites.length === 1) audit.siteId = first!.id
  if (tenants.size === 1) audit.subjectTenantId = first!.tenantId
  audit.detail = {
    ...audit.detail,
    sites: sites.map(({ id, name }) => ({ id, name })).slice(0, 100),
    count: sites.length,
  }
}
