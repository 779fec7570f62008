/**
 * Audit entries that a caller may read. Queried as the system with the caller's condition spelled out: row-level
 * security would keep the text indexes from being used, and this is the largest table there is. Whom an entry concerns
 * is stored in one column per tier.
 */

import type { AuditFilter } from '@breakwater/contract/audit/audit.ts'
import { sql } from 'kysely'
import { below } from '../account/known-accounts.ts'
import type { Database } from '../db/database.ts'
import { containing, countOf } from '../db/paging.ts'
import type { Caller } from '../http/implement.ts'

const concerns = { user: 'customerId', client: 'operatorId', admin: 'tenantId' } as const
/**
 * A root account reads its tenant's entries, an operator's also those of its customers; other accounts read their own
 * and those of accounts below them. Callers restricted to some sites read only the entries of those; people, unlike API
 * tokens, also their own entries that concern no site.
 */
function readable(db: Database, caller: Caller) {
  let rows = db.selectFrom('audit').where(concerns[caller.tier], '=', caller.tenantId)
  if (!caller.isRoot) {
    const line = sql<number>`(select accounts.id from accounts where ${below(caller)} union all select ${caller.accountId}::int)`
    rows = rows.where('accountId', 'in', line)
  }
  if (caller.siteIds) {
    const sites = [0, ...caller.siteIds]
    rows = rows.where((on) => {
      const own = on.and([on('siteId', 'is', null), on('accountId', '=', caller.accountId)])
      return caller.apiToken ? on('siteId', 'in', sites) : on.or([on('siteId', 'in', sites), own])
    })
  }
  return rows
}

export function matching(db: Database, caller: Caller, filter: AuditFilter) {
  return narrowed(readable(db, caller), filter)
}

function narrowed(rows: ReturnType<typeof readable>, filter: AuditFilter) {
  if (filter.accountName) rows = rows.where('accountName', 'ilike', containing(filter.accountName))
  if (filter.proxyName) rows = rows.where('proxyName', 'ilike', containing(filter.proxyName))
  if (filter.url) rows = rows.where('url', 'ilike', containing(filter.url))
  if (filter.action) rows = rows.where('action', 'ilike', containing(filter.action))
  if (filter.reqID) rows = rows.where('requestId', '=', filter.reqID)
  if (filter.method) rows = rows.where('method', '=', filter.method.toUpperCase())
  if (filter.siteID !== undefined) rows = rows.where('siteId', '=', filter.siteID)
  if (filter.accountID !== undefined) rows = rows.where('accountId', '=', filter.accountID)
  if (filter.startTime !== undefined) rows = rows.where('at', '>=', new Date(filter.startTime))
  if (filter.endTime !== undefined) rows = rows.where('at', '<=', new Date(filter.endTime))
  return rows
}

type Matching = ReturnType<typeof matching>

/** A text is frequent if at least `frequentRows` of the newest `probeRows` entries match it. */
const probeRows = 2000
const frequentRows = 160

/**
 * Makes the rest of a transaction scan in time order if the searched text is frequent among the newest entries. The
 * planner prefers the text index for every text, which would fetch hundreds of thousands of rows to show 25.
 */
export async function preferOrderWhereFrequent(tx: Database, caller: Caller, filter: AuditFilter): Promise<void> {
  const { accountName, proxyName, url, action } = filter
  if (!(accountName || proxyName || url || action)) return
  const newest = readable(tx, caller).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(probeRows)
  const n = await countOf(narrowed(tx.selectFrom(newest.as('audit')), filter))
  if (n < frequentRows) return
  // Behind row-level security the planner has no statistics on how frequent a text is, and assumes that every text is
  // rare.
  for (const plan of ['bitmapscan', 'seqscan', 'sort']) {
    await sql`select set_config(${`enable_${plan}`}, 'off', true)`.execute(tx)
  }
}

export const entriesOf = (rows: Matching) =>
  rows
    .select(['id', 'at', 'accountName', 'tier', 'proxyName', 'tokenName', 'action', 'method', 'url'])
    .select(['requestId', 'address', 'status', 'siteId', 'detail'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')

export type EntryRow = Awaited<ReturnType<ReturnType<typeof entriesOf>['executeTakeFirstOrThrow']>>

/** The site names for one page of entries. Queried as the caller, not as the system: only sites the caller may see. */
export async function siteNames(db: Database, caller: Caller, ids: readonly number[]): Promise<Map<number, string>> {
  const seen = caller.siteIds
  const wanted = [...new Set(ids)].filter((id) => !seen || seen.includes(id))
  if (wanted.length === 0) return new Map()
  const rows = await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', wanted).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** How many entries match, counted only up to `max`. */
export async function countUpTo(db: Database, rows: Matching, max: number): Promise<number> {
  const n = await countOf(
    db.selectFrom(
      rows
        .select(sql<number>`1`.as('one'))
        // In index order: without it, the planner fetches every match of a frequent text before it counts one.
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(max)
        .as('some'),
    ),
  )
  return n
}

/** All matching entries, newest first, in slices. Each slice starts where the previous one ended. */
export async function* slices(
  run: <T>(ask: (db: Database) => Promise<T>) => Promise<T>,
  caller: Caller,
  filter: AuditFilter,
  { size, max }: { size: number; max: number },
): AsyncGenerator<EntryRow[]> {
  let after: { at: string; id: number } | undefined
  for (let given = 0; given < max; given += size) {
    const rows = await run((db) => {
      const all = matching(db, caller, filter)
      const rest = after ? all.where(sql<boolean>`(at, id) < (${after.at}::timestamptz, ${after.id})`) : all
      // The exact timestamp as text: a JavaScript Date only has milliseconds.
      return entriesOf(rest).select(sql<string>`at::text`.as('exactly')).limit(size).execute()
    })
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < size) return
    after = { at: last.exactly, id: last.id }
  }
}
