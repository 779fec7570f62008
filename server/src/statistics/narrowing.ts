/** A statistics filter as a condition, and the coarsest tables that can answer it. */
import type { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import type { Clause } from '../events/clause.ts'
import { filterClause } from '../logs/log-filter.ts'

/**
 * `visitors` tables have site, zone and domain; `rollups` also have the outcome of a request; anything else needs the
 * rows.
 */
export type Reads = 'visitors' | 'rollups' | 'rows'
/**
 * `clause` is undefined if nothing is filtered. Its columns have the same names in rollups and rows. `isCounted`: the
 * exact counters support the whole filter.
 */
export type Narrowing = { clause: Clause | undefined; reads: Reads; isCounted: boolean }

const known: Partial<Record<string, Reads>> = {
  host: 'visitors',
  status: 'rollups',
  cause: 'rollups',
  action: 'rollups',
  cache: 'rollups',
}
const counted = new Set(['status', 'cause', 'action', 'cache'])
const order: Reads[] = ['visitors', 'rollups', 'rows']

/** Throws if an address is invalid. */
export function narrow(filter: StatisticsFilter): Narrowing {
  const { not, ...lists } = filter
  const used = [...Object.entries(lists), ...Object.entries(not)].filter(([, values]) => values.length > 0)
  if (used.length === 0) return { clause: undefined, reads: 'visitors', isCounted: true }
  const needed = used.map(([field]) => order.indexOf(known[field] ?? 'rows'))
  const clause = filterClause({ ...filter, siteIDs: [], domainIDs: [], zoneIDs: [], reqID: '' })
  return { clause, reads: order[Math.max(...needed)]!, isCounted: used.every(([field]) => counted.has(field)) }
}
