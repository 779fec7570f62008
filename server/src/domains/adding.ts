/** Whether domains may be added to a site: its limit, names it already has, and names that other sites hold. */
import type { Database } from '../db/database.ts'
import { countOf } from '../db/paging.ts'
import { Fault } from '../http/fault.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import { takenOf } from './claims.ts'

/** Throws if the site may not have this many more domains. */
export async function requireDomainRoom(db: Database, site: LockedSite, more: number): Promise<void> {
  const { limitations, portType } = await db
    .selectFrom('sites')
    .innerJoin('products', 'products.id', 'sites.productId')
    .select(['sites.limitations', 'products.portType'])
    .where('sites.id', '=', site.id)
    .executeTakeFirstOrThrow()
  // A layer 4 product forwards ports and has no domains.
  if (portType !== 7) throw new Fault('illegalPortType')
  const n = await countOf(db.selectFrom('domains').where('siteId', '=', site.id))
  if (limitations.domains > 0 && n + more > limitations.domains)
    throw new Fault('domainsExceedLimit', { max: limitations.domains })
}

/**
 * Names that cannot be added: duplicates in the call or on the site (101025), and names proven by another site
 * (401001). A name that another site holds only by an operator's approval can be added: it waits until its owner proves
 * it. `claimed` are the names not yet known to be the customer's.
 */
export async function clashesOf(
  db: Database,
  site: LockedSite,
  names: string[],
  edgeDomain: string,
  claimed: string[] = names,
) {
  const own = await db
    .selectFrom('domains')
    .select('name')
    .where('siteId', '=', site.id)
    .where('name', 'in', names)
    .execute()
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  const duplicates = [...new Set([...own.map((row) => row.name), ...twice])]
  const elsewhere = await takenOf(db, ['', ...claimed], site.id, edgeDomain, ['proven'])
  return [
    ...(duplicates.length > 0 ? [{ reason: 'duplicatedData' as const, targets: duplicates }] : []),
    ...(elsewhere.length > 0 ? [{ reason: 'domainEnabledElsewhere' as const, targets: elsewhere }] : []),
  ]
}
