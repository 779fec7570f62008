/** A chart over time: lines to look at, a summary to hear, a table to read; drawing on it chooses a range. */
import { ChartLine, Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { IconButton } from './Button.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'
import type { SeriesProps } from './time-series.ts'

const Plot = lazy(() => import('./TimeSeriesPlot.tsx').then((file) => ({ default: file.TimeSeriesPlot })))

export function TimeSeries(props: SeriesProps) {
  const t = usePhrases('kit')
  const { label, points, lines, height = 220 } = props
  const [asTable, setAsTable] = useState(false)
  const summary = useSummary(props)
  const isEmpty = points.every(({ value }) => lines.every(({ key }) => !value[key]))
  return (
    <figure aria-label={label} className="min-w-0">
      <div className="mb-1 flex flex-wrap items-center gap-x-3.5 text-ink-2 text-xs">
        {lines.map(({ key, label: name, color }) => (
          <span key={key} className="inline-flex items-center gap-1.5">
            <span aria-hidden className="h-[3px] w-2.5 rounded-full" style={{ background: `var(${color})` }} />
            {name}
          </span>
        ))}
        <span className="ml-auto">
          <IconButton
            size="iconSm"
            label={t(asTable ? 'chart.asChart' : 'chart.asTable')}
            onClick={() => setAsTable(!asTable)}
          >
            {asTable ? <ChartLine size={14} aria-hidden /> : <Table2 size={14} aria-hidden />}
          </IconButton>
        </span>
      </div>
      <div style={{ height }} className={asTable ? 'overflow-auto' : 'relative'}>
        {asTable ? (
          <SeriesTable {...props} />
        ) : (
          <Suspense fallback={<div className="skeleton appear-late h-full" />}>
            <Plot {...props} height={height} />
          </Suspense>
        )}
        {isEmpty && !asTable && (
          <p className="pointer-events-none absolute inset-0 grid place-items-center text-ink-3">{t('chart.empty')}</p>
        )}
      </div>
      <figcaption className="sr-only">{summary}</figcaption>
    </figure>
  )
}

function useSummary({ points, lines, format }: SeriesProps): string {
  const t = usePhrases('kit')
  const clock = useFormat()
  return useMemo(
    () =>
      lines
        .map(({ key, label }) => {
          const values = points.map(({ value }) => value[key] ?? 0)
          const peak = Math.max(0, ...values)
          const at = points[values.indexOf(peak)]?.time ?? 0
          const total = format(values.reduce((sum, value) => sum + value, 0))
          return t('chart.summary', { name: label, total, peak: format(peak), at: clock.moment(at * 1000) })
        })
        .join(' '),
    [points, lines, format, t, clock],
  )
}

function SeriesTable({ label, points, lines, format }: SeriesProps) {
  const t = usePhrases('kit')
  const clock = useFormat()
  return (
    <ScrollRegion label={label} className="h-full">
      <table className="num w-full text-left">
        <thead className="sticky top-0 bg-surface text-ink-3 text-xs">
          <tr>
            <th scope="col" className="py-1 font-medium">
              {t('chart.time')}
            </th>
            {lines.map(({ key, label: name }) => (
              <th key={key} scope="col" className="py-1 text-right font-medium">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ time, value }) => (
            <tr key={time} className="border-line border-t">
              <td className="py-0.5">{clock.moment(time * 1000)}</td>
              {lines.map(({ key }) => (
                <td key={key} className="text-right">
                  {format(value[key] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
