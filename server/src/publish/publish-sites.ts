/**
 * Publishes sites as they are now, one or many, with the same statements: a revision with its parts, an artefact with
 * its objects, and feed entries. Apart from the statements, the cost is only the computation for each site.
 */
import type { RevisionChanges } from '@breakwater/contract/sites/history.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { type Changes, changesBetween } from './changes-between.ts'
import type { SiteDocument } from './document.ts'
import { appendToFeeds, type FeedChange, keepRendered } from './feed.ts'
import { gatherAsCaller, gatherAsSystem, joined } from './gather.ts'
import type { LockedSite } from './locked-sites.ts'
import type { Manifest } from './manifest.ts'
import type { Parts } from './part.ts'
import type { Publisher } from './publisher.ts'
import { documentAt } from './read.ts'
import { renderArtefact } from './render.ts'
import { splitDocument } from './stored.ts'

/** Who changes the sites, by which call, and a few words for the history. */
export type About = { actor: string; action: string; summary?: string }

type Options = {
  /** The roll-outs that the sites are part of, by group. */
  rollouts?: ReadonlyMap<number, number> | undefined
  /**
   * Whether a site's revision records what changed, which requires reading the previous one; most sites of a bulk
   * change do not.
   */
  isTold?: (site: LockedSite) => boolean
}

/**
 * Publishes sites as they are now. The caller holds their locks. Returns the changes of those for which `isTold` is
 * true.
 */
export async function publishSites(
  db: Database,
  sites: LockedSite[],
  publisher: Publisher,
  about: About,
  { rollouts, isTold = () => false }: Options = {},
): Promise<(Changes | undefined)[]> {
  const ids = sites.map(({ id }) => id)
  const [ofCaller] = await Promise.all([
    gatherAsCaller(db, publisher.parts, ids),
    sql`update sites set revision = revision + 1 where id = any(${ids}::int[])`.execute(db),
  ])
  return asSystem(db, async (tx) => {
    const before = sites.map((site) => (isTold(site) ? documentAt(tx, publisher.parts, site.id, site.revision) : null))
    const [ofSystem, ...documentsBefore] = await Promise.all([gatherAsSystem(tx, publisher.parts, ids), ...before])
    const documents = joined(ids, [...ofCaller, ...ofSystem])
    const changed = documents.map((document, at) =>
      isTold(sites[at]!) ? changesBetween(publisher.parts, documentsBefore[at] ?? undefined, document) : undefined,
    )
    const told = changed.map((changes) => changes?.told)
    await keepRevisions(tx, publisher.parts, sites, documents, about, told)
    const modules = new Map<object, Buffer>()
    const changes = documents.map((document, at): FeedChange => {
      const { id, productId, revision } = sites[at]!
      // A removed site leaves a tombstone. One that is paused, limited or expired is still published, to say so.
      const rendered = !document.site.isRemoved ? renderArtefact(publisher, document, revision + 1, modules) : null
      return { site: { id, productId }, revision: revision + 1, rendered }
    })
    // Lock the feeds first: the sweep of unused objects takes the same lock, so it never deletes one that is about to
    // be referenced.
    await appendToFeeds(tx, changes, rollouts)
    await keepRendered(
      tx,
      changes.flatMap(({ rendered }) => rendered ?? []),
    )
    return changed
  })
}

/** Stores the next revision of each site, and the parts that it refers to. */
async function keepRevisions(
  db: Database,
  all: Parts,
  sites: LockedSite[],
  documents: SiteDocument[],
  { actor, action, summary = '' }: About,
  told: (RevisionChanges | undefined)[],
): Promise<void> {
  const parts = new Map<string, object>()
  const modules = new Map<object, string>()
  const manifests = documents.map((document): Manifest => {
    const split = splitDocument(all, document, modules)
    for (const [hash, body] of split.kept) parts.set(hash, body)
    return split.manifest
  })
  await keepParts(db, parts)
  const [tenants, ids, revisions] = [
    sites.map(({ tenantId }) => tenantId),
    sites.map(({ id }) => id),
    sites.map(({ revision }) => revision + 1),
  ]
  await sql`
    insert into revisions (tenant_id, site_id, revision, manifest, changes, actor, action, summary)
    select tenant_id, site_id, revision, manifest::jsonb, changes::jsonb, ${actor}, ${action}, ${summary}
    from unnest(${tenants}::int[], ${ids}::int[], ${revisions}::int[], ${manifests.map((one) => JSON.stringify(one))}::text[],
      ${sites.map((_, at) => (told[at] ? JSON.stringify(told[at]) : null))}::text[])
      as t (tenant_id, site_id, revision, manifest, changes)`.execute(db)
}

/**
 * Parts are never deleted, so only new ones are sent. In the order of their hashes, so that two transactions that store
 * the same parts wait instead of deadlocking.
 */
async function keepParts(db: Database, parts: ReadonlyMap<string, object>): Promise<void> {
  const hashes = [...parts.keys()].sort().map((hash) => Buffer.from(hash, 'hex'))
  const { rows: known } = await sql<{
    hash: Buffer
  }>`select hash from parts where hash = any(${hashes}::bytea[])`.execute(db)
  const there = new Set(known.map(({ hash }) => hash.toString('hex')))
  const fresh = hashes.filter((hash) => !there.has(hash.toString('hex')))
  if (fresh.length === 0) return
  const bodies = fresh.map((hash) => JSON.stringify(parts.get(hash.toString('hex'))))
  await sql`
    insert into parts (hash, body) select hash, body::jsonb from unnest(${fresh}::bytea[], ${bodies}::text[]) as t (hash, body)
    on conflict do nothing`.execute(db)
}
