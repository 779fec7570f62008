/**
 * Reads what was published: a site's revisions for history, Explain and the lab. Everything here runs as the system,
 * after `requireSite`.
 */
import type { Database } from '../db/database.ts'
import type { SavedRule, SiteDocument } from './document.ts'
import type { Manifest, ManifestBefore } from './manifest.ts'
import { bodiesOf, bodyOf, type Parts } from './part.ts'
import type { Publisher } from './publisher.ts'
import { type Rendered, renderArtefact } from './render.ts'
import type { WafObjects } from './rendering.ts'
import { loadDocument } from './stored.ts'

/** The document of a revision, or undefined if it is not stored any more. */
export async function documentAt(
  db: Database,
  parts: Parts,
  siteId: number,
  revision: number,
): Promise<SiteDocument | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('manifest')
    .where('siteId', '=', siteId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row && loadDocument(db, parts, row.manifest as Manifest | ManifestBefore)
}

/** A rule as it was in a revision. */
export async function ruleAt(
  db: Database,
  parts: Parts,
  siteId: number,
  revision: number,
  ruleId: number,
): Promise<SavedRule | undefined> {
  const document = await documentAt(db, parts, siteId, revision)
  if (!document) return undefined
  const rules = parts.flatMap((part) =>
    part.owner === 'site'
      ? (part.rulesOf?.(bodyOf(document, part)) ?? [])
      : Object.values(bodiesOf(document, part)).flatMap((body) => part.rulesOf?.(body) ?? []),
  )
  return rules.find((rule) => rule.id === ruleId)
}

/** The artefact of a revision with its objects, rendered again from its manifest, with a WAF rule set. */
export async function artefactAt(
  db: Database,
  publisher: Publisher,
  siteId: number,
  revision: number,
  ruleSet?: WafObjects,
): Promise<Rendered | undefined> {
  const document = await documentAt(db, publisher.parts, siteId, revision)
  return document && renderArtefact(publisher, document, revision, new Map(), ruleSet)
}
