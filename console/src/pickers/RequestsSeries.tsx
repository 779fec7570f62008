/** The requests of the last 24 hours, passed and blocked: on dashboards and on a site's first page. */
import { seriesTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { useRange } from '../app/time-range.ts'
import { Failed } from '../kit/faults.tsx'
import { TimeSeries } from '../kit/TimeSeries.tsx'

export function RequestsSeries({ siteIds, label }: { siteIds: number[]; label: string }) {
  const t = usePhrases('sites')
  const format = useFormat()
  const range = useRange({ range: '24h' })
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
  // As high as the chart with its legend, so that nothing moves when it comes.
  if (!call.data) return <div className="skeleton appear-late h-[230px]" />
  return <TimeSeries label={label} points={call.data.data} lines={lines} format={format.compact} height={200} />
}
