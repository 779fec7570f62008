/** Reading sites' documents as they are now, in a number of statements that does not grow with the sites. Runs as the caller. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { SiteDocument } from './document.ts'
import type { Gather, Parts } from './part.ts'

/** One site's document. Throws when there is no such site. */
export async function gatherDocument(db: Database, parts: Parts, siteId: number): Promise<SiteDocument> {
  return (await gatherDocuments(db, parts, [siteId]))[0]!
}

/** The documents of sites, in the order asked for. What several of them have in common, a module, is one object in all. */
export async function gatherDocuments(db: Database, parts: Parts, siteIds: number[]): Promise<SiteDocument[]> {
  const found: Awaited<ReturnType<Gather>>[] = []
  // One after the other: a transaction has one connection.
  for (const gather of new Set(parts.map((part) => part.gather))) found.push(await gather(db, siteIds))
  return siteIds.map((id) => {
    const document = Object.assign({}, ...found.map((bodies) => bodies.get(id))) as Partial<SiteDocument>
    if (!document.site) throw new Error(`there is no site ${id}`)
    return document as SiteDocument
  })
}

/** One parameter however many there are: a statement takes 65,535 at most. */
export const anyOf = (ids: number[]): RawBuilder<number> => sql<number>`any(${ids}::int[])`

/** Rows by their owner, in the order they came in. */
export function grouped<R, V>(rows: R[], entry: (row: R) => [owner: number, value: V]): Map<number, V[]> {
  const groups = new Map<number, V[]>()
  for (const row of rows) {
    const [owner, value] = entry(row)
    const group = groups.get(owner)
    if (group) group.push(value)
    else groups.set(owner, [value])
  }
  return groups
}
