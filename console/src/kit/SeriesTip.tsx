/** The tooltip of a chart for the point under the cursor, or for the range being selected. */
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { cssColor, isWhole, type SeriesPoint, type SeriesProps } from './time-series.ts'

const plainWidth = 220
/** With the previous period, each line has two values. */
const comparedWidth = 300
/** The axis labels stand left of the plot. */
const axisWidth = 72

type Props = Pick<SeriesProps, 'lines' | 'format' | 'covers'> & {
  point: SeriesPoint
  before: SeriesPoint | undefined
  start: SeriesPoint | undefined
  /** Position in the plot and width of the whole chart, in pixels. */
  left: number
  width: number
}

export function SeriesTip({ lines, format, covers, point, before, start, left, width: whole }: Props) {
  const t = usePhrases('kit')
  const clock = useFormat()
  const width = before ? comparedWidth : plainWidth
  const isRight = left + axisWidth + 12 + width > whole
  const [first, last] = start && start.time > point.time ? [point, start] : [start, point]
  return (
    <div
      aria-hidden
      className="num pointer-events-none absolute top-2 z-1 rounded-[8px] border border-line bg-raised px-3 py-2 text-xs shadow-pop"
      style={{ width, left: Math.max(0, isRight ? left + axisWidth - width - 12 : left + axisWidth + 12) }}
    >
      <p className="mb-0.5 text-ink-3">
        {first
          ? t('chart.drawing', { from: clock.dayClock(first.time * 1000), to: clock.dayClock(last.time * 1000) })
          : clock.moment(point.time * 1000)}
        {!first && !isWhole(point, covers) && ` · ${t('chart.partial')}`}
      </p>
      {[...lines]
        .sort((a, b) => (point.value[b.key] ?? 0) - (point.value[a.key] ?? 0))
        .map(({ key, label, color }) => (
          <p key={key} className="flex items-center justify-between gap-3">
            <span className="inline-flex min-w-0 items-center gap-1.5">
              <span className="h-[3px] w-2.5 shrink-0 rounded-full" style={{ background: cssColor(color) }} />
              <span className="truncate">{label}</span>
            </span>
            <span className="whitespace-nowrap">
              {format(point.value[key] ?? 0)}
              {before && <span className="ml-1.5 text-ink-3">({format(before.value[key] ?? 0)})</span>}
            </span>
          </p>
        ))}
      {before && <p className="mt-0.5 text-ink-3">{t('chart.beforeHint')}</p>}
    </div>
  )
}
