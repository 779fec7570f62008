/** Finding domains by a part of their names, among all that there are, by an index. */
import { domainToASCII } from 'node:url'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import type { Tables } from '../db/tables.ts'

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

/** Domains, with conditions on them. */
export type Domains = SelectQueryBuilder<Tables, 'domains', object>

type Page<Row> = {
  /** What else is asked of a domain; says whose domains are meant. */
  conditions: (domains: Domains) => Domains
  order: readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc']
  /** Whether an index has the domains in this order. */
  isIndexed?: boolean
  page: number
  pageSize: number
  read: (domains: Domains) => Promise<Row[]>
}

/** So many domains are read in their order for each that is wanted, and at most, before all are asked which of them match. */
const readForEach = 8
const readMost = 5_000

/**
 * Where most names match, as they do while one is still being typed, a page is found at one end of an index: sorting all
 * of them would take the most time. Its rows if so, all that match, and how a page of them is read.
 */
async function lookFor<Row>(db: Database, keyword: string | undefined, asked: Page<Row>) {
  const { conditions, order, isIndexed = true, page, pageSize, read } = asked
  const [column, direction] = order
  const sorted = (domains: Domains) => domains.orderBy(column, direction).orderBy('domains.id', direction)
  const readPage = (domains: Domains) => read(sorted(domains).$call(onePage({ page, pageSize })))
  const matching = (domains: Domains, name: RawBuilder<boolean> | undefined) =>
    name ? conditions(domains).where(name) : conditions(domains)
  const all = db.selectFrom('domains') as Domains
  const reach = page * pageSize * readForEach
  if (isIndexed && reach <= readMost) {
    const plainly = keyword ? sql<boolean>`domains.name like ${namePattern(keyword)}` : undefined
    const first = sorted(all).selectAll().limit(reach)
    const rows = await readPage(matching(db.selectFrom(first.as('domains')) as unknown as Domains, plainly))
    if (rows.length === pageSize) return { rows, found: matching(all, plainly), readPage }
  }
  return { rows: undefined, found: matching(all, keyword ? await nameMatches(db, keyword) : undefined), readPage }
}

/** One page of the domains whose names have the keyword in them, and how many there are. */
export async function foundPage<Row>(db: Database, keyword: string | undefined, asked: Page<Row>) {
  const { rows, found, readPage } = await lookFor(db, keyword, asked)
  const total = await countOf(found)
  const isBeyond = total <= (asked.page - 1) * asked.pageSize
  return { rows: rows ?? (isBeyond ? [] : await readPage(found)), total }
}

/** The same page, where nobody asks how many there are. */
export async function foundRows<Row>(db: Database, keyword: string | undefined, asked: Page<Row>): Promise<Row[]> {
  const { rows, found, readPage } = await lookFor(db, keyword, asked)
  return rows ?? readPage(found)
}

/** One of the tags, however it is spelled. */
export const tagged = (tags: string[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from unnest(domains.tags) t where lower(t) = any(${tags.map((tag) => tag.toLowerCase())}::text[]))`
