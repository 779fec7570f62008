/**
 * Changing a site: the change, its audit detail, the site's next revision and its place in the feeds are one transaction.
 * No feature can forget to tell the edge, and no feature imports the edge.
 */

import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { AuditNote, Caller } from '../http/implement.ts'
import { diffDocuments } from './diff.ts'
import { type LockedSite, siteColumns } from './locked-sites.ts'
import { type About, type Publisher, publishSites } from './publish-sites.ts'
import { documentAt } from './read.ts'

/** What a change is made with: the transaction, who makes it, and where its audit detail goes. */
export type ChangeCall = { db: Database; caller: Caller; audit: AuditNote }

/** The site, if the caller may know that it exists; else the refusal that a missing one gets. */
export async function requireSite(db: Database, siteId: number): Promise<LockedSite> {
  const site = await db
    .selectFrom('sites')
    .select(siteColumns)
    .where('id', '=', siteId)
    .where('removedAt', 'is', null)
    .executeTakeFirst()
  if (!site) throw new Fault('permissionDenied')
  return site
}

/** Runs a change of a site and publishes it. `action` is its audit name, `summary` a few words for the history. */
export async function changeSite<T>(
  call: ChangeCall,
  siteId: number,
  publisher: Publisher,
  about: Omit<About, 'actor'>,
  change: (db: Database, site: LockedSite) => Promise<T>,
): Promise<T> {
  const { db } = call
  const site = await db
    .selectFrom('sites')
    .select(siteColumns)
    .where('id', '=', siteId)
    .where('removedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!site) throw new Fault('permissionDenied')
  const result = await change(db, site)
  const changes = await publishSite(db, site, publisher, { actor: call.caller.accountName, ...about })
  call.audit.siteId = site.id
  call.audit.detail = { revision: site.revision + 1, changes: changes.slice(0, 50).map(shorten) }
  return result
}

/** Publishes a site as it is now. The caller holds its lock. Returns what changed since the revision before. */
export async function publishSite(db: Database, site: LockedSite, publisher: Publisher, about: About) {
  const before = await asSystem(db, (tx) => documentAt(tx, site.id, site.revision))
  const [document] = await publishSites(db, [site], publisher, about)
  return diffDocuments(before, document!)
}

/** Thousands of addresses in an audit entry help nobody. */
function shorten<T extends { before: unknown; after: unknown }>(change: T): T {
  const short = (value: unknown) => (JSON.stringify(value)?.length > 4096 ? '(long; see the site’s history)' : value)
  return { ...change, before: short(change.before), after: short(change.after) }
}
