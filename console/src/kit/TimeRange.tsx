/** The range of time that a page shows: presets, or what was drawn on a chart with the way back. */
import { Undo2 } from 'lucide-react'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { presetNames, type RangeState } from '../app/time-range.ts'
import { Button } from './Button.tsx'
import { Segments } from './Toggle.tsx'

type Props = { state: RangeState; go: (patch: Partial<RangeState>) => void }

export function TimeRange({ state, go }: Props) {
  const t = usePhrases('kit')
  const format = useFormat()
  const { from, to, range } = state
  const isDrawn = from !== undefined && to !== undefined
  return (
    <div className="flex max-w-full flex-wrap items-center gap-2">
      {isDrawn && (
        <Button onClick={() => go({ from: undefined, to: undefined })}>
          <Undo2 size={14} aria-hidden />
          <span className="num">
            {format.day(from * 1000)} {format.clock(from * 1000)} – {format.clock(to * 1000)}
          </span>
          <span className="sr-only">{t('range.reset')}</span>
        </Button>
      )}
      <Segments
        label={t('range.label')}
        value={isDrawn ? ('' as typeof range) : range}
        onChange={(next) => go({ range: next, from: undefined, to: undefined })}
        options={presetNames.map((value) => ({ value, label: t(`range.${value}`) }))}
        className="max-w-full overflow-x-auto"
      />
    </div>
  )
}
