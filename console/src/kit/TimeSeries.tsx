/** A chart over time: lines to look at, a summary for screen readers, a table; dragging on it selects a range. */
import { ChartLine, Download, Table2 } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { SeriesLegend } from './SeriesLegend.tsx'
import { SeriesTable } from './SeriesTable.tsx'
import { foldLines, ghostsMax, type SeriesProps } from './time-series.ts'

const Plot = lazy(() => import('./TimeSeriesPlot.tsx').then((file) => ({ default: file.TimeSeriesPlot })))

type Props = SeriesProps & {
  /** Downloads the numbers as a file. */
  onDownload?: () => void
}

export function TimeSeries({ onDownload, ...given }: Props) {
  const t = usePhrases('kit')
  const { label, height = 220 } = given
  const [asTable, setAsTable] = useState(false)
  const { points, lines, before } = given
  const folded = useMemo(() => foldLines({ points, lines, before }, t('chart.other')), [points, lines, before, t])
  const props: SeriesProps = { ...given, ...folded }
  const summary = useSummary(props)
  const isEmpty = points.every(({ value }) => lines.every(({ key }) => !value[key]))
  return (
    <figure aria-label={label} className="min-w-0">
      <div className="mb-1 flex items-start gap-3 text-ink-2 text-xs">
        <SeriesLegend lines={props.lines} hasBefore={before !== undefined && props.lines.length <= ghostsMax} />
        <span className="flex shrink-0">
          {onDownload && (
            <IconButton size="iconSm" label={t('chart.csv', { name: label })} onClick={onDownload}>
              <Download size={14} aria-hidden />
            </IconButton>
          )}
          <IconButton
            size="iconSm"
            label={t(asTable ? 'chart.asChart' : 'chart.asTable', { name: label })}
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
          // Centred on the plot, without the axis labels; with a background, as lines cross there.
          <p className="pointer-events-none absolute inset-[8px_18px_26px_72px] grid place-items-center text-center text-ink-3">
            <span className="bg-surface px-2 py-0.5 text-balance">{t('chart.empty')}</span>
          </p>
        )}
      </div>
      <figcaption className="sr-only">{summary}</figcaption>
    </figure>
  )
}

function useSummary({ points, lines, format, isRate }: SeriesProps): string {
  const t = usePhrases('kit')
  const clock = useFormat()
  return useMemo(
    () =>
      lines
        .map(({ key, label }) => {
          const values = points.map(({ value }) => value[key] ?? 0)
          const peak = Math.max(0, ...values)
          const at = clock.moment((points[values.indexOf(peak)]?.time ?? 0) * 1000)
          const sum = values.reduce((total, value) => total + value, 0)
          const told = { name: label, peak: format(peak), at }
          return isRate
            ? t('chart.summaryRate', { ...told, mean: format(sum / Math.max(1, values.length)) })
            : t('chart.summary', { ...told, total: format(sum) })
        })
        .join(' '),
    [points, lines, format, isRate, t, clock],
  )
}
