/** The requests of the last 24 hours, passed and blocked: for dashboards and a site's first page. */
import { seriesTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { Failed } from '../kit/faults.tsx'
import { TimeSeries } from '../kit/TimeSeries.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useRange } from '../platform/time-range.ts'

export function RequestsSeries({ siteIds, label }: { siteIds: number[]; label: string }) {
  const t = usePhrases('sites')
  const format = useFormat()
  // Extends up to now, with the last step marked as incomplete: a user who has just sent a first request must not read
  // zero.
  const range = useRange({ range: '24h' }, 30_000)
  const call = useCall(statistics.timeSeries, {
    body: { type: seriesTypes.requests, siteIDs: siteIds, ...range, minutesStep: 15 },
  })
  const lines = useMemo(
    () => [
      { key: 'pass', label: t('overview.passed'), color: '--pass' },
      { key: 'drop', label: t('overview.blocked'), color: '--drop' },
    ],
    [t],
  )
  if (call.isError && !call.data) return <Failed fault={call.error} retry={() => call.refetch()} />
  // As tall as the chart with its legend, so that nothing moves when it loads.
  if (!call.data) return <div className="skeleton appear-late h-[230px]" />
  const { data: points, until, minutesStep } = call.data
  const covers = { from: range.startTime, to: Math.min(range.endTime, until), step: minutesStep * 60 }
  return <TimeSeries label={label} points={points} covers={covers} lines={lines} format={format.compact} height={200} />
}
