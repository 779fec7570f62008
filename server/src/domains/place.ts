/** What calls about a site's domains begin with: the domain itself, and where it shall point. */
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { cnameOf } from '../publish/render.ts'
import { placeOf } from '../sites/place.ts'
import { findDomain } from './domains.store.ts'

/** What a site's domains shall point at: a name of the edge's zone, and the address of a node. */
export async function entranceOf(db: Database, site: LockedSite, edgeDomain: string) {
  const place = await asSystem(db, (tx) => placeOf(tx, site.productId))
  return { cname: cnameOf(edgeDomain, site.label, place?.groupLabel), address: place?.nodeIp || '127.0.0.1' }
}

/** The domain of a site the caller may know, else the refusal that a missing one gets. */
export async function requireDomain(db: Database, siteId: number, domainId: number) {
  const domain = await findDomain(db, siteId, { id: domainId })
  if (!domain) throw new Fault('permissionDenied')
  return domain
}
