/** Finding domains by a part of their names, among all that there are, by an index. */
import { domainToASCII } from 'node:url'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing } from '../db/paging.ts'

/** Fewer letters are in too many names for the index to be of use. */
const trigram = 3

/** What a name is looked for by: names are stored in their ASCII form, in lower case. */
export function namePattern(keyword: string): string {
  const text = keyword.trim().toLowerCase()
  // A part of a name that is not ASCII is looked for in the form that it is stored in; an odd one as it is.
  return containing(/^[\x20-\x7e]*$/.test(text) ? text : domainToASCII(text) || text)
}

/** More names than this are read as they stand: looking each of them up would cost more. */
const lookedUpMax = 5_000

/**
 * A condition on `domains`. The index answers ids, whosever they are: the statement that the condition is part of must say
 * whose domains it is about.
 */
export async function nameMatches(db: Database, keyword: string): Promise<RawBuilder<boolean>> {
  const pattern = namePattern(keyword)
  const plainly = sql<boolean>`domains.name like ${pattern}`
  if (keyword.trim().length < trigram) return plainly
  const { rows } = await sql<{ id: number }>`select find_domains(${pattern}) as id limit ${lookedUpMax + 1}`.execute(db)
  return rows.length > lookedUpMax ? plainly : sql<boolean>`domains.id = any(${rows.map(({ id }) => id)}::int[])`
}

/** One of the tags, however it is spelled. */
export const tagged = (tags: string[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from unnest(domains.tags) t where lower(t) = any(${tags.map((tag) => tag.toLowerCase())}::text[]))`
