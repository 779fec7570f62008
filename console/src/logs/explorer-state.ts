/** The state of the log explorer in its URL: range, filters, text, columns, and the open row. */
import type { LogFilter } from '@breakwater/contract/logs/filter.ts'
import { useMemo, useState } from 'react'
import { z } from 'zod'
import { readFilters } from '../kit/filter-address.ts'
import { RangeSearch, RangeText, resolveRange } from '../platform/time-range.ts'
import { FilterSearch, logFilter } from './filters.ts'

export const LogSearchState = FilterSearch.extend({
  ...RangeSearch.shape,
  range: RangeText.catch('1h'),
  view: z.enum(['live', 'search']).catch('live'),
  q: z.union([z.string(), z.number().transform(String)]).catch(''),
  by: z.enum(['action', 'status']).catch('action'),
  cols: z.array(z.string()).catch([]),
  /** The open row, so that it can be linked to. */
  row: z.string().optional().catch(undefined),
})
export type LogSearchState = z.output<typeof LogSearchState>
export type Go = (patch: Partial<LogSearchState>, options?: { replace?: boolean }) => void

/** The parameters that all queries of the explorer share. */
export type Asked = LogFilter & { startTime: number; endTime: number }

/** People look for a row of a second ago, so a relative range extends beyond now. */
const aheadSeconds = 300

/**
 * The range stays as first resolved, so that rows do not move while reading; `refresh` resolves it anew. A selected
 * range is kept to the second.
 */
export function useAsked(state: LogSearchState): { asked: Asked; refresh: () => void } {
  const [now, setNow] = useState(Date.now)
  const { range, from, to, tz, site, zone, q } = state
  const fText = state.f.join('\n')
  const asked = useMemo(() => {
    const isDrawn = from !== undefined && to !== undefined && from < to
    const moving = resolveRange({ range, tz }, now)
    const span = isDrawn
      ? { startTime: from, endTime: to }
      : { startTime: moving.startTime, endTime: moving.endTime + aheadSeconds }
    return { ...logFilter(readFilters(fText === '' ? [] : fText.split('\n')), site, q, zone), ...span }
  }, [range, from, to, tz, site, zone, q, fText, now])
  return { asked, refresh: () => setNow(Date.now()) }
}
