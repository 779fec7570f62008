/**
 * Reads sites' documents as they are now, in a number of statements that does not grow with the sites. Runs as the
 * caller.
 */
import { type RawBuilder, sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import type { SiteDocument } from './document.ts'
import type { Gather, Parts } from './part.ts'

/** One site's document. Throws if there is no such site. */
export async function gatherDocument(db: Database, parts: Parts, siteId: number): Promise<SiteDocument> {
  return (await gatherDocuments(db, parts, [siteId]))[0]!
}

/**
 * The documents of sites, in the requested order. What several of them share, a module, is the same object in all of
 * them.
 */
export async function gatherDocuments(db: Database, parts: Parts, siteIds: number[]): Promise<SiteDocument[]> {
  const ofCaller = await gatherAsCaller(db, parts, siteIds)
  const ofSystem = await asSystem(db, (tx) => gatherAsSystem(tx, parts, siteIds))
  return joined(siteIds, [...ofCaller, ...ofSystem])
}

export type Gathered = Awaited<ReturnType<Gather>>[]

/** The parts of documents that the caller may read. */
export const gatherAsCaller = (db: Database, parts: Parts, siteIds: number[]): Promise<Gathered> =>
  ask(db, siteIds, parts, false)

/** The other parts. Runs as the system. */
export const gatherAsSystem = (db: Database, parts: Parts, siteIds: number[]): Promise<Gathered> =>
  ask(db, siteIds, parts, true)

function ask(db: Database, siteIds: number[], parts: Parts, asSystem: boolean): Promise<Gathered> {
  const chosen = parts.filter((part) => (part.owner === 'site' && part.isGatheredAsSystem === true) === asSystem)
  return Promise.all([...new Set(chosen.map((part) => part.gather))].map((gather) => gather(db, siteIds)))
}

/** Builds documents from what was gathered. Throws if there is no such site. */
export function joined(siteIds: number[], found: Gathered): SiteDocument[] {
  return siteIds.map((id) => {
    const document = Object.assign({}, ...found.map((bodies) => bodies.get(id))) as Partial<SiteDocument>
    if (!document.site) throw new Error(`there is no site ${id}`)
    return document as SiteDocument
  })
}

/** One parameter for any number of ids: a statement takes 65,535 at most. */
export const anyOf = (ids: number[]): RawBuilder<number> => sql<number>`any(${ids}::int[])`

/** Rows grouped by their owner, in their original order. */
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
