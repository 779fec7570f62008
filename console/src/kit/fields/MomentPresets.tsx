/** Below a point in time: the usual presets, clearing it, and the time zone in which it is read. */
import { usePhrases } from '../../platform/phrases.ts'
import { browserZone, wallText } from '../../platform/time-zone.ts'
import { Button } from '../Button.tsx'

/** In hours from now: the usual durations of rules that expire. */
const usual = [1, 24, 7 * 24]

type Props = { isSet: boolean; presets?: readonly number[] | undefined; write: (text: string) => void }

/** `isSet`: it can be reset to never. */
export function MomentPresets({ isSet, presets = usual, write }: Props) {
  const t = usePhrases('kit')
  return (
    <div className="mt-1.5 flex flex-wrap items-center gap-1.5">
      {presets.map((hours) => (
        <Button key={hours} size="sm" onClick={() => write(wallText(Date.now() / 1000 + hours * 3600, undefined))}>
          {hours > 24 ? t('moment.days', { n: hours / 24 }) : t('moment.hours', { n: hours })}
        </Button>
      ))}
      {isSet && (
        <Button size="sm" look="ghost" onClick={() => write('')}>
          {t('moment.never')}
        </Button>
      )}
      <span className="ml-auto text-ink-3 text-xs">{t('moment.zone', { zone: browserZone() })}</span>
    </div>
  )
}
