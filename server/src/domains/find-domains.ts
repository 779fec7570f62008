/** Finds domains by part of their names, among all domains, with an index. */
import { domainToASCII } from 'node:url'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { containing, countOf, onePage } from '../db/paging.ts'
import type { Tables } from '../db/tables.ts'

/** Shorter texts occur in too many names for the index to be of use. */
const trigram = 3

/** The pattern to search for. Names are stored in lower case and in ASCII form. */
export function namePattern(keyword: string): string {
  const text = keyword.trim().toLowerCase()
  // Text that is not ASCII is searched for in its stored form, or unchanged if it has none.
  return containing(/^[\x20-\x7e]*$/.test(text) ? text : domainToASCII(text) || text)
}

/** Above this number of matches the names are scanned directly: looking up each id would cost more. */
const lookedUpMax = 5_000

/**
 * A condition on `domains`. The index returns ids regardless of their tenant: the statement that uses the condition
 * must restrict whose domains it is about.
 */
export async function nameMatches(db: Database, keyword: string): Promise<RawBuilder<boolean>> {
  const pattern = namePattern(keyword)
  const plainly = sql<boolean>`domains.name like ${pattern}`
  if (keyword.trim().length < trigram) return plainly
  const { rows } = await sql<{ id: number }>`select find_domains(${pattern}) as id limit ${lookedUpMax + 1}`.execute(db)
  return rows.length > lookedUpMax ? plainly : sql<boolean>`domains.id = any(${rows.map(({ id }) => id)}::int[])`
}

/** A query on domains, with conditions. */
export type Domains = SelectQueryBuilder<Tables, 'domains', object>

type Page<Row> = {
  /** The other conditions, which must restrict whose domains are meant. */
  conditions: (domains: Domains) => Domains
  order: readonly [column: RawBuilder<unknown>, direction: 'asc' | 'desc']
  /** Whether an index provides this sort order. */
  isIndexed?: boolean
  page: number
  pageSize: number
  read: (domains: Domains) => Promise<Row[]>
}

/**
 * How many domains are read in sort order for each one requested, and at most, before the matches of all are computed.
 */
const readForEach = 8
const readMost = 5_000

/**
 * If most names match, as they do while a name is still being typed, a page is found at one end of an index; sorting
 * all matches would take the most time. Returns its rows in that case, the query for all matches, and a function that
 * reads a page of them.
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

/** One page of the domains whose names contain the keyword, and how many there are. */
export async function foundPage<Row>(db: Database, keyword: string | undefined, asked: Page<Row>) {
  const { rows, found, readPage } = await lookFor(db, keyword, asked)
  const total = await countOf(found)
  const isBeyond = total <= (asked.page - 1) * asked.pageSize
  return { rows: rows ?? (isBeyond ? [] : await readPage(found)), total }
}

/** The same page without the count. */
export async function foundRows<Row>(db: Database, keyword: string | undefined, asked: Page<Row>): Promise<Row[]> {
  const { rows, found, readPage } = await lookFor(db, keyword, asked)
  return rows ?? readPage(found)
}

/** Whether a domain has one of the tags, case-insensitively. */
export const tagged = (tags: string[]): RawBuilder<boolean> =>
  sql<boolean>`exists (select from unnest(domains.tags) t where lower(t) = any(${tags.map((tag) => tag.toLowerCase())}::text[]))`
