/** What calls about a site's domains start with: the domain itself, and what it must point to. */
import { asSystem, type Database } from '../db/database.ts'
import { gone } from '../http/fault.ts'
import { refuseAll } from '../publish/change-sites.ts'
import { anyOf } from '../publish/gather.ts'
import { cnameOf } from '../publish/host-names.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { placeOf } from '../sites/serving-zone.ts'
import { findDomain } from './domains.store.ts'

/**
 * What a site's domains must point to, a name in the edge's zone or the nodes' addresses; and the zone that serves it,
 * if any.
 */
export async function dnsTargetOf(db: Database, site: LockedSite, edgeDomain: string) {
  const place = await asSystem(db, async (tx) => {
    const { forceBackup } = await tx
      .selectFrom('sites')
      .select('forceBackup')
      .where('id', '=', site.id)
      .executeTakeFirstOrThrow()
    return placeOf(tx, { productId: site.productId, forceBackup })
  })
  return {
    cname: cnameOf(edgeDomain, site.label, place?.groupLabel),
    addresses: place?.addresses ?? ['127.0.0.1'],
    zoneId: place?.zoneId,
  }
}

/** Returns a domain of a site that the caller may see. If there is none, throws the same fault as for a missing one. */
export async function requireDomain(db: Database, siteId: number, domainId: number) {
  const domain = await findDomain(db, siteId, { id: domainId })
  if (!domain) throw gone()
  return domain
}

/** Returns the domains of a bulk call. Throws if the site does not have one of the ids. */
export async function requireDomains(db: Database, siteId: number, ids: number[]) {
  const wanted = [...new Set(ids)]
  const rows = await db
    .selectFrom('domains')
    .select(['id', 'siteId', 'name', 'status', 'ownership', 'proof'])
    .where('siteId', '=', siteId)
    .where('id', '=', anyOf(wanted))
    .execute()
  const missing = wanted.filter((id) => !rows.some((row) => row.id === id))
  if (missing.length > 0 && wanted.length === 1) throw gone()
  if (missing.length > 0) refuseAll([{ reason: 'permissionDenied', targets: missing.map(String) }], wanted.length)
  return rows
}
