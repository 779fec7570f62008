/**
 * Changing a site: the change, its audit detail, the site's next revision and its place in the feeds are one transaction.
 * No feature can forget to tell the edge, and no feature imports the edge.
 */

import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { AuditNote, Caller } from '../http/implement.ts'
import { diffDocuments } from './diff.ts'
import { gatherDocument, loadDocument, type Manifest, type SiteDocument, splitDocument } from './document.ts'
import { appendToFeeds, keepRendered } from './feed.ts'
import { renderArtefact } from './render.ts'

/** What a change is made with: the transaction, who makes it, and where its audit detail goes. */
export type ChangeCall = { db: Database; caller: Caller; audit: AuditNote }

export type Publisher = { allowOrigins: string[] }

export type LockedSite = {
  id: number
  tenantId: number
  productId: number
  name: string
  label: string
  status: number
  revision: number
}

const siteColumns = ['id', 'tenantId', 'productId', 'name', 'label', 'status', 'revision'] as const

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
  about: { action: string; summary?: string },
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

/** Publishes a site as it is now. The caller holds its lock. `rollouts` are those it is part of, by group. Returns what changed since the revision before. */
export async function publishSite(
  db: Database,
  site: LockedSite,
  publisher: Publisher,
  about: { actor: string; action: string; summary?: string },
  rollouts?: ReadonlyMap<number, number>,
) {
  const revision = site.revision + 1
  const document = await gatherDocument(db, site.id)
  const { manifest, parts } = splitDocument(document)
  await db.updateTable('sites').set({ revision }).where('id', '=', site.id).execute()
  return asSystem(db, async (tx) => {
    const before = await latestDocument(tx, site.id, site.revision)
    const rows = [...parts].map(([hash, body]) => ({ hash: Buffer.from(hash, 'hex'), body: JSON.stringify(body) }))
    await tx
      .insertInto('parts')
      .values(rows)
      .onConflict((on) => on.doNothing())
      .execute()
    const { actor, action, summary = '' } = about
    await tx
      .insertInto('revisions')
      .values({
        tenantId: site.tenantId,
        siteId: site.id,
        revision,
        manifest: JSON.stringify(manifest),
        actor,
        action,
        summary,
      })
      .execute()
    await publishDocument(tx, site, revision, document, publisher, rollouts)
    return diffDocuments(before, document)
  })
}

/** Renders a document and appends it to the feeds; a site that is not served leaves a tombstone. */
async function publishDocument(
  db: Database,
  site: LockedSite,
  revision: number,
  document: SiteDocument,
  publisher: Publisher,
  rollouts?: ReadonlyMap<number, number>,
): Promise<void> {
  if (document.site.status !== 1) return appendToFeeds(db, site, revision, null)
  const rendered = renderArtefact(document, revision, publisher.allowOrigins)
  // The feeds are locked first: the sweep of unused objects holds the same lock, and so never takes one that is about to be named.
  await appendToFeeds(db, site, revision, rendered, rollouts)
  await keepRendered(db, rendered)
}

async function latestDocument(db: Database, siteId: number, revision: number): Promise<SiteDocument | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('manifest')
    .where('siteId', '=', siteId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row ? loadDocument(db, row.manifest as Manifest) : undefined
}

/** Thousands of addresses in an audit entry help nobody. */
function shorten<T extends { before: unknown; after: unknown }>(change: T): T {
  const short = (value: unknown) => (JSON.stringify(value)?.length > 4096 ? '(long; see the site’s history)' : value)
  return { ...change, before: short(change.before), after: short(change.after) }
}
