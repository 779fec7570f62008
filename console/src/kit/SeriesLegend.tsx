/** The legend of a chart. A line that can be filtered is a button: click shows only it, Alt + click all but it. */
import { usePhrases } from '../platform/phrases.ts'
import { cssColor, type Line } from './time-series.ts'

type Props = { lines: readonly Line[]; hasBefore: boolean }

/** As tall as the buttons beside it. An entry never breaks; when entries wrap, they form rows. */
const entry = 'inline-flex h-[26px] max-w-full items-center gap-1.5 px-1.5'

export function SeriesLegend({ lines, hasBefore }: Props) {
  const t = usePhrases('kit')
  return (
    <ul className="-ml-1.5 flex min-w-0 flex-1 flex-wrap">
      {lines.map((line) => (
        <li key={line.key} className="min-w-0 max-w-full">
          {line.onOnly ? (
            <button
              type="button"
              title={t('chart.legendHint')}
              className={`${entry} rounded-[5px] hover:bg-mute`}
              onClick={(event) => (event.altKey && line.onExclude ? line.onExclude() : line.onOnly!())}
            >
              <Mark line={line} />
            </button>
          ) : (
            <span className={entry}>
              <Mark line={line} />
            </span>
          )}
        </li>
      ))}
      {hasBefore && (
        <li className={`${entry} text-ink-3`}>
          <span aria-hidden className="w-3 shrink-0 border-line-strong border-t border-dashed" />
          <span className="truncate">{t('chart.before')}</span>
        </li>
      )}
    </ul>
  )
}

function Mark({ line: { color, label } }: { line: Line }) {
  return (
    <>
      <span aria-hidden className="h-[3px] w-2.5 shrink-0 rounded-full" style={{ background: cssColor(color) }} />
      <span className="truncate">{label}</span>
    </>
  )
}
