/**
 * Changing a site: the change, its audit detail, the site's next revision and its feed entries are one transaction. No
 * feature can forget to notify the edge, and no feature imports the edge.
 */

import type { Database } from '../db/database.ts'
import { Fault, gone } from '../http/fault.ts'
import type { AuditNote, Caller } from '../http/implement.ts'
import { shorten } from './changes-between.ts'
import type { Change } from './diff.ts'
import { type LockedSite, siteColumns } from './locked-sites.ts'
import { type About, publishSites } from './publish-sites.ts'
import type { Publisher } from './publisher.ts'

/** What a change needs: the transaction, the caller, and the place for its audit detail. */
export type ChangeCall = {
  db: Database
  caller: Caller
  audit: AuditNote
  /** True for a part of a larger change of the same site, which publishes all of it. */
  within?: boolean
}

/**
 * The site, if the caller may see it; throws the same error as for a missing one. A removed site of one's own is gone
 * (404).
 */
export async function requireSite(db: Database, siteId: number): Promise<LockedSite> {
  const site = await db
    .selectFrom('sites')
    .select(siteColumns)
    .select('removedAt')
    .where('id', '=', siteId)
    .executeTakeFirst()
  return requireThere(site)
}

function requireThere<Site extends { removedAt: Date | null }>(site: Site | undefined): Site {
  if (!site) throw new Fault('permissionDenied')
  if (site.removedAt) throw gone()
  return site
}

/**
 * Runs a change of a site and publishes it. The history shows the audit name of its endpoint, unless `action` overrides
 * it, and `summary`, a few words.
 */
export async function changeSite<T>(
  call: ChangeCall,
  siteId: number,
  publisher: Publisher,
  about: Partial<Omit<About, 'actor'>>,
  change: (db: Database, site: LockedSite) => Promise<T>,
): Promise<T> {
  const { db } = call
  const action = about.action ?? call.audit.action
  if (action === undefined) throw new Error('a change of a site has no name for the audit log')
  const found = await db
    .selectFrom('sites')
    .select(siteColumns)
    .select('removedAt')
    .where('id', '=', siteId)
    .forUpdate()
    .executeTakeFirst()
  const site = requireThere(found)
  const result = await change(db, site)
  if (call.within) return result
  const changes = await publishSite(db, site, publisher, { actor: call.caller.accountName, ...about, action })
  call.audit.siteId = site.id
  call.audit.made = { siteId: site.id, revision: site.revision + 1 }
  call.audit.detail = { revision: site.revision + 1, changes: changes.slice(0, 50).map(shorten) }
  return result
}

/** Publishes a site as it is now. The caller holds its lock. Returns what changed since the previous revision. */
export async function publishSite(
  db: Database,
  site: LockedSite,
  publisher: Publisher,
  about: About,
): Promise<Change[]> {
  const [changed] = await publishSites(db, [site], publisher, about, { isTold: () => true })
  return changed!.changes
}
