/** A filter of the statistics as a condition, and the coarsest tables that can answer it. */
import type { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import type { Clause } from '../events/clause.ts'
import { filterClause } from '../logs/log-filter.ts'

/** `visitors` know site, zone and domain; `rollups` know what a request came to as well; anything else is asked of the rows. */
export type Reads = 'visitors' | 'rollups' | 'rows'
/**
 * `clause` is nothing where nothing is filtered. Its columns are named alike in rollups and rows. `isCounted` says whether
 * the exact counters know all that is filtered by.
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

/** Throws for an address that is none. */
export function narrow(filter: StatisticsFilter): Narrowing {
  const { not, ...lists } = filter
  const used = [...Object.entries(lists), ...Object.entries(not)].filter(([, values]) => values.length > 0)
  if (used.length === 0) return { clause: undefined, reads: 'visitors', isCounted: true }
  const needed = used.map(([field]) => order.indexOf(known[field] ?? 'rows'))
  const clause = filterClause({ ...filter, siteIDs: [], domainIDs: [], zoneIDs: [], reqID: '' })
  return { clause, reads: order[Math.max(...needed)]!, isCounted: used.every(([field]) => counted.has(field)) }
}
