/** The legend of a map's colours, from the least to the most. */
import { usePhrases } from '../../platform/phrases.ts'
import { fillOf } from './ramp.ts'

const steps = [16, 37, 58, 79, 100]

export function MapScale({ color, most }: { color: '--accent' | '--drop'; most: string }) {
  const t = usePhrases('kit')
  return (
    <p className="num mt-1 flex items-center justify-end gap-1.5 text-ink-3 text-xs">
      {t('map.few')}
      <span aria-hidden className="flex overflow-hidden rounded-[3px]">
        {steps.map((percent) => (
          <span key={percent} className="h-2 w-5" style={{ background: fillOf(percent, color) }} />
        ))}
      </span>
      {most}
    </p>
  )
}
