/** Traffic: a few numbers, charts that share one range of time, and top lists that lead to the log. */
import { cardTypes, seriesTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { useSearchState } from '../app/search-state.ts'
import { RangeSearch, useRange } from '../app/time-range.ts'
import { Failed } from '../kit/faults.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { TimeRange } from '../kit/TimeRange.tsx'
import { TimeSeries } from '../kit/TimeSeries.tsx'
import type { Line } from '../kit/time-series.ts'
import { SiteSelect } from '../pickers/SiteSelect.tsx'
import { Tops } from './Tops.tsx'

const Search = RangeSearch.extend({ site: z.number().int().positive().optional().catch(undefined) })
type Scope = { siteIDs: number[]; startTime: number; endTime: number }

export function StatisticsScreen() {
  const t = usePhrases('statistics')
  const [state, go] = useSearchState(Search)
  const { startTime, endTime, minutesStep } = useRange(state)
  const scope = useMemo(
    () => ({ siteIDs: state.site === undefined ? [] : [state.site], startTime, endTime }),
    [state.site, startTime, endTime],
  )
  const onRange = (range: { from: number; to: number }) => go(range)
  const { requests, status, cache } = useLines()
  const chart = { scope, minutesStep, onRange }
  return (
    <>
      <PageHead title={t('title')}>
        <TimeRange state={state} go={go} />
      </PageHead>
      <div className="mb-3 flex flex-wrap gap-2">
        <SiteSelect value={state.site} onChange={(site) => go({ site })} />
      </div>
      <Cards scope={scope} />
      <Chart {...chart} title={t('chart.requests')} type={seriesTypes.requests} lines={requests} className="mt-3" />
      <div className="mt-3 grid gap-3 lg:grid-cols-2">
        <Chart {...chart} title={t('chart.status')} type={seriesTypes.status} lines={status} />
        <Chart {...chart} title={t('chart.cache')} type={seriesTypes.cache} lines={cache} />
      </div>
      <Tops scope={scope} site={state.site} />
    </>
  )
}

/** The lines of each chart. They stay the same between renderings: a chart is drawn anew when they change. */
function useLines() {
  const t = usePhrases('statistics')
  return useMemo(
    () => ({
      requests: [
        { key: 'pass', label: t('chart.pass'), color: '--pass' },
        { key: 'drop', label: t('chart.drop'), color: '--drop' },
      ],
      status: [
        { key: '2xx', label: '2xx', color: '--pass' },
        { key: '3xx', label: '3xx', color: '--c15' },
        { key: '4xx', label: '4xx', color: '--warn' },
        { key: '5xx', label: '5xx', color: '--drop' },
      ],
      cache: [
        { key: 'hit', label: t('cache.hit'), color: '--c1' },
        { key: 'miss', label: t('cache.miss'), color: '--c2' },
        { key: 'bypass', label: t('cache.bypass'), color: '--c6' },
      ],
    }),
    [t],
  )
}

function Cards({ scope }: { scope: Scope }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  const call = useCall(statistics.info, { body: { type: [cardTypes.request, cardTypes.ip], ...scope } })
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  const card = call.data?.[cardTypes.request]
  const value = (number: number | undefined, show: (number: number) => string) =>
    number === undefined ? '–' : show(number)
  const cached = card?.requests ? (card.hits ?? 0) / card.requests : undefined
  return (
    <StatRow
      stats={[
        { key: 'traffic', label: t('traffic'), value: value(card?.traffic, format.bytes) },
        { key: 'requests', label: t('requests'), value: value(card?.requests, format.compact) },
        { key: 'hits', label: t('hitRatio'), value: value(cached, format.percent) },
        { key: 'blocked', label: t('blocked'), value: value(card?.drop, format.compact) },
        { key: 'visitors', label: t('visitors'), value: value(call.data?.[cardTypes.ip]?.addresses, format.compact) },
      ]}
    />
  )
}

type ChartProps = {
  title: string
  type: (typeof seriesTypes)[keyof typeof seriesTypes]
  lines: Line[]
  scope: Scope
  minutesStep: 1 | 5 | 15 | 60 | 1440
  onRange: (range: { from: number; to: number }) => void
  className?: string
}

function Chart({ title, type, lines, scope, minutesStep, onRange, className }: ChartProps) {
  const format = useFormat()
  const call = useCall(statistics.timeSeries, { body: { type, ...scope, minutesStep } })
  return (
    <Panel title={title} {...(className ? { className } : {})}>
      {call.isError ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : (
        <TimeSeries
          label={title}
          points={call.data?.data ?? none}
          lines={lines}
          format={format.compact}
          onRange={onRange}
        />
      )}
    </Panel>
  )
}

const none: [] = []
