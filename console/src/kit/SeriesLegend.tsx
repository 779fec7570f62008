/** What the lines of a chart are. A line that something can be made of is a button: click for it only, Alt for all but it. */
import { usePhrases } from '../app/phrases.ts'
import { cssColor, type Line } from './time-series.ts'

type Props = { lines: readonly Line[]; hasBefore: boolean }

export function SeriesLegend({ lines, hasBefore }: Props) {
  const t = usePhrases('kit')
  return (
    <>
      {lines.map((line) =>
        line.onOnly ? (
          <button
            key={line.key}
            type="button"
            title={t('chart.legendHint')}
            className="-mx-1 inline-flex min-h-6 items-center gap-1.5 rounded-[5px] px-1 hover:bg-mute"
            onClick={(event) => (event.altKey && line.onExclude ? line.onExclude() : line.onOnly!())}
          >
            <Mark line={line} />
          </button>
        ) : (
          <span key={line.key} className="inline-flex items-center gap-1.5">
            <Mark line={line} />
          </span>
        ),
      )}
      {hasBefore && (
        <span className="inline-flex items-center gap-1.5 text-ink-3">
          <span aria-hidden className="w-3 border-line-strong border-t border-dashed" />
          {t('chart.before')}
        </span>
      )}
    </>
  )
}

function Mark({ line: { color, label } }: { line: Line }) {
  return (
    <>
      <span aria-hidden className="h-[3px] w-2.5 rounded-full" style={{ background: cssColor(color) }} />
      {label}
    </>
  )
}
