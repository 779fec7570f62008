/** Reading what was published: a site's revisions for history, Explain and the lab. Everything here runs as the system, after `requireSite`. */
import type { Database } from '../db/database.ts'
import { loadDocument, type Manifest, type SavedRule, type SiteDocument } from './document.ts'
import { type Rendered, renderArtefact } from './render.ts'

/** The document of a revision, or nothing where it is not kept. */
export async function documentAt(db: Database, siteId: number, revision: number): Promise<SiteDocument | undefined> {
  const row = await db
    .selectFrom('revisions')
    .select('manifest')
    .where('siteId', '=', siteId)
    .where('revision', '=', revision)
    .executeTakeFirst()
  return row && loadDocument(db, row.manifest as Manifest)
}

/** A rule as it was in a revision. */
export async function ruleAt(
  db: Database,
  siteId: number,
  revision: number,
  ruleId: number,
): Promise<SavedRule | undefined> {
  const document = await documentAt(db, siteId, revision)
  return (
    document &&
    Object.values(document.rules)
      .flat()
      .find((rule) => rule.id === ruleId)
  )
}

/** The artefact of a revision with its objects, rendered again from its manifest. */
export async function artefactAt(
  db: Database,
  siteId: number,
  revision: number,
  allowOrigins: string[],
): Promise<Rendered | undefined> {
  const document = await documentAt(db, siteId, revision)
  return document && renderArtefact(document, revision, allowOrigins)
}
