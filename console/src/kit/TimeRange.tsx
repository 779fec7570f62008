/**
 * The time range of a page: presets, relative, two points in time, the zone, previous and next, zoom out. All of it is
 * in the URL.
 */
import { CalendarRange, ChevronDown, ChevronLeft, ChevronRight, ZoomOut } from 'lucide-react'
import { useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { presetNames, type RangeState, resolveRange, shifted, zoomedOut } from '../platform/time-range.ts'
import { browserZone } from '../platform/time-zone.ts'
import { buttonClass, IconButton } from './Button.tsx'
import { Popover } from './Overlay.tsx'
import { RangeForm } from './RangeForm.tsx'

type Props = { state: RangeState; go: (patch: Partial<RangeState>) => void }

export const isPreset = (range: string): range is (typeof presetNames)[number] =>
  (presetNames as readonly string[]).includes(range)

export function TimeRange({ state, go }: Props) {
  const t = usePhrases('kit')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { from, to, range, tz } = state
  const isDrawn = from !== undefined && to !== undefined
  const resolved = () => resolveRange(state, Date.now())
  const name = isPreset(range) ? t(`range.${range}`) : range
  return (
    <div className="flex max-w-full flex-wrap items-center gap-1">
      <IconButton look="line" label={t('range.earlier')} onClick={() => go(shifted(resolved(), -1))}>
        <ChevronLeft size={15} aria-hidden />
      </IconButton>
      <Popover
        open={isOpen}
        onOpenChange={setOpen}
        align="end"
        label={t('range.label')}
        className="w-[340px] p-3"
        trigger={
          <button type="button" className={buttonClass()}>
            <span className="sr-only">{t('range.label')} </span>
            <CalendarRange size={14} aria-hidden className="text-ink-3" />
            <span className="num">
              {isDrawn ? `${format.dayClock(from * 1000)} – ${format.dayClock(to * 1000)}` : name}
            </span>
            <span className="text-ink-3 max-sm:hidden">{placeOf(tz ?? browserZone())}</span>
            <ChevronDown size={14} aria-hidden className="text-ink-3" />
          </button>
        }
      >
        <RangeForm
          state={state}
          go={(patch) => {
            go(patch)
            setOpen(false)
          }}
        />
      </Popover>
      <IconButton look="line" label={t('range.later')} disabled={!isDrawn} onClick={() => go(shifted(resolved(), 1))}>
        <ChevronRight size={15} aria-hidden />
      </IconButton>
      <IconButton look="line" label={t('range.zoomOut')} onClick={() => go(zoomedOut(resolved()))}>
        <ZoomOut size={15} aria-hidden />
      </IconButton>
      {isDrawn && (
        <button
          type="button"
          className={buttonClass({ look: 'ghost' })}
          onClick={() => go({ from: undefined, to: undefined })}
        >
          {t('range.reset')}
        </button>
      )}
    </div>
  )
}

/** Shortens `Asia/Taipei` to Taipei. */
const placeOf = (zone: string) => zone.split('/').at(-1)!.replaceAll('_', ' ')
