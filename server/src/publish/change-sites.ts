/** Changes many sites in one call: all of them, or none, with the reason for each (101009). */
import type { Database } from '../db/database.ts'
import { Fault, Faults } from '../http/fault.ts'
import { publishMany } from './change-many.ts'
import type { ChangeCall } from './change-site.ts'
import { type LockedSite, lockSites } from './locked-sites.ts'
import type { Publisher } from './publisher.ts'

/** The sites of a bulk call, locked, without duplicates. Throws if the caller cannot see one of them. */
export async function requireSites(db: Database, siteIds: number[]): Promise<LockedSite[]> {
  const wanted = [...new Set(siteIds)]
  const sites = await lockSites(db, wanted)
  const missing = wanted.filter((id) => !sites.some((site) => site.id === id))
  if (missing.length === 0) return sites
  if (wanted.length === 1) throw new Fault('permissionDenied')
  throw new Faults([{ reason: 'permissionDenied', targets: missing.map(String) }])
}

/** Throws the faults of a bulk call; for a single target, as a single fault. */
export function refuseAll(list: ConstructorParameters<typeof Faults>[0], count: number): void {
  const [first] = list
  if (first) throw count === 1 ? new Fault(first.reason, first.extra) : new Faults(list)
}

/**
 * Runs a change of sites and publishes them to all nodes at once: pausing or resuming a site is not rolled out in
 * steps. `productId` is the product that they have from now on.
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

/** Records in an audit entry which sites it is about, and their customer if they all have the same. */
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
