/** One series of the page's view: chart, table, file, and the previous period. */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { Failed, showFault } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { TimeSeries } from '../../kit/TimeSeries.tsx'
import { useCall } from '../../platform/calls.ts'
import { download } from '../../platform/download.ts'
import { type SeriesType, useSeriesLook } from './series-look.ts'
import { Until } from './Until.tsx'
import { type StatView, useStatView } from './view.ts'

/** `prefix` precedes the title of the series if the range is not the page's. */
type Props = { type: SeriesType; prefix?: string; height?: number; className?: string }

/** The default height of a chart, and of the row above its plot, in px. */
const plotHeight = 220
const legendHeight = 30

/** The points of a series and of the previous period. Blocks with the same query share the response. */
export function useSeries(type: SeriesType, { scope, before, range: { minutesStep } }: StatView) {
  const now = useCall(statistics.timeSeries, { body: { type, ...scope, minutesStep } })
  const past = useCall(
    statistics.timeSeries,
    { body: { type, ...(before ?? scope), minutesStep } },
    { enabled: before !== undefined },
  )
  return { now, past: before && past.data ? past.data.data : undefined }
}

export function SeriesPanel({ type, prefix, height, className }: Props) {
  const view = useStatView()
  const { title: name, lines, format, isRate } = useSeriesLook(type)
  const title = prefix === undefined ? name : `${prefix} · ${name}`
  const { now, past } = useSeries(type, view)
  const { scope, range, onRange, onZoomOut } = view
  const covers = useMemo(
    () => ({
      from: range.startTime,
      to: Math.min(range.endTime, now.data?.until ?? range.endTime),
      step: (now.data?.minutesStep ?? range.minutesStep) * 60,
    }),
    [range, now.data],
  )
  const file = () => {
    const body = { of: 'timeSeries', type, ...scope, minutesStep: range.minutesStep } as const
    download(statistics.listExport, { body }).catch(showFault)
  }
  return (
    <Panel title={title} aside={now.data && <Until time={now.data.until} />} {...(className ? { className } : {})}>
      {now.isError && !now.data ? (
        <Failed fault={now.error} retry={() => now.refetch()} />
      ) : !now.data ? (
        // As tall as the chart with its legend: loading data must not appear to be empty.
        <div className="skeleton appear-late" style={{ height: (height ?? plotHeight) + legendHeight }} />
      ) : (
        <TimeSeries
          label={title}
          points={now.data.data}
          before={past}
          covers={covers}
          lines={lines}
          format={format}
          isRate={isRate}
          onRange={onRange}
          onZoomOut={onZoomOut}
          onDownload={file}
          {...(height ? { height } : {})}
        />
      )}
    </Panel>
  )
}
