/**
 * The state of a statistics page: whose numbers, of which time, with which filters. It is stored in the URL, and
 * provided to every block of the page.
 */
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import { createContext, useContext, useMemo } from 'react'
import { z } from 'zod'
import { type Filter, withFilter } from '../../kit/FilterBar.tsx'
import { readFilters, writeFilters } from '../../kit/filter-address.ts'
import { type Range, RangeSearch, RangeText, rangeBefore, useRange, zoomedOut } from '../../platform/time-range.ts'

export const refreshes = { off: undefined, '10s': 10_000, '1m': 60_000, '5m': 300_000 } as const
export type Refresh = keyof typeof refreshes

export const ViewSearch = RangeSearch.extend({
  site: z.number().int().positive().optional().catch(undefined),
  zone: z.number().int().positive().optional().catch(undefined),
  domain: z.number().int().positive().optional().catch(undefined),
  tag: z.string().max(64).catch(''),
  f: z.array(z.string()).catch([]),
  compare: z.boolean().catch(false),
  every: z.enum(['off', '10s', '1m', '5m']).catch('1m'),
  /** Minutes; 0 lets the range decide. */
  step: z.union([z.literal(0), z.literal(1), z.literal(5), z.literal(15), z.literal(30), z.literal(60)]).catch(0),
  top: z.union([z.literal(5), z.literal(10), z.literal(20), z.literal(30)]).catch(10),
  count: z.enum(['reqCount', 'traffic']).catch('reqCount'),
})
export type ViewState = z.output<typeof ViewSearch>

/** The same with another default range. */
export const viewSearch = (range: string) => ViewSearch.extend({ range: RangeText.catch(range) })

export type StatScope = {
  siteIDs: number[]
  domainIDs: number[]
  domainTags: string[]
  zoneIDs: number[]
  startTime: number
  endTime: number
  filter: StatisticsFilter
}

export type StatView = {
  scope: StatScope
  /** The same for the previous period, if it is compared. */
  before: StatScope | undefined
  range: Range
  /** The length of top lists, and what they count. */
  top: number
  countType: 'reqCount' | 'traffic'
  site: number | undefined
  filters: readonly Filter[]
  setFilters: (filters: readonly Filter[]) => void
  /** Adds a value to the included or the excluded ones. */
  pick: (field: string, value: string | readonly string[], not?: boolean) => void
  onRange: (range: { from: number; to: number }) => void
  onZoomOut: () => void
}

const ViewContext = createContext<StatView | undefined>(undefined)
export const ViewProvider = ViewContext.Provider

export function useStatView(): StatView {
  const view = useContext(ViewContext)
  if (!view) throw new Error('a block of statistics stands outside of a view')
  return view
}

/** Fields whose filter values are numbers, not strings; the same as in the log. */
const numeric = new Set(['status', 'wafRule', 'asn'])

export function statisticsFilter(filters: readonly Filter[]): StatisticsFilter {
  const lists = (not: boolean) => {
    const fields: Record<string, unknown[]> = {}
    for (const { field, values } of filters.filter((filter) => filter.not === not && filter.field !== 'url')) {
      fields[field] = numeric.has(field) ? values.map(Number).filter(Number.isInteger) : [...values]
    }
    return fields
  }
  const url = filters.find(({ field, not }) => field === 'url' && !not)?.values.at(-1) ?? ''
  // If the URL has an unknown field, nothing is filtered.
  const parsed = StatisticsFilter.safeParse({ ...lists(false), not: lists(true), url })
  return parsed.success ? parsed.data : StatisticsFilter.parse({})
}

type Options = { stepMin?: Range['minutesStep'] }

export function useView(
  state: ViewState,
  go: (patch: Partial<ViewState>) => void,
  { stepMin = 1 }: Options = {},
): StatView {
  const resolved = useRange(state, refreshes[state.every])
  const { site, domain, tag, zone, f, compare, step, top, count } = state
  const fText = f.join('\n')
  return useMemo(() => {
    const { startTime, endTime } = resolved
    const minutesStep = step === 0 ? (Math.max(stepMin, resolved.minutesStep) as Range['minutesStep']) : step
    const range = { startTime, endTime, minutesStep }
    const filters = readFilters(fText === '' ? [] : fText.split('\n'))
    const fixed = {
      siteIDs: site === undefined ? [] : [site],
      domainIDs: domain === undefined ? [] : [domain],
      domainTags: tag === '' ? [] : [tag],
      zoneIDs: zone === undefined ? [] : [zone],
      filter: statisticsFilter(filters),
    }
    const of = (times: Range): StatScope => ({ ...fixed, startTime: times.startTime, endTime: times.endTime })
    const setFilters = (next: readonly Filter[]) => go({ f: writeFilters(next) })
    return {
      scope: of(range),
      before: compare ? of(rangeBefore(range)) : undefined,
      range,
      top,
      countType: count,
      site,
      filters,
      setFilters,
      pick(field, value, not = false) {
        const values = typeof value === 'string' ? [value] : value
        setFilters(values.reduce((all, one) => withFilter(all, field, one, not), [...filters]))
      },
      onRange: (drawn) => go(drawn),
      onZoomOut: () => go(zoomedOut(range)),
    }
  }, [resolved, site, domain, tag, zone, fText, compare, step, top, count, go, stepMin])
}
