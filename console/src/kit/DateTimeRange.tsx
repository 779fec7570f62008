/** Two points in time, in the wall clock of a time zone: from and to, rejected while in the wrong order. */
import { useId, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { wallMoment, wallText } from '../platform/time-zone.ts'
import { Input } from './Input.tsx'
import { stepByKey } from './moment-keys.ts'

/** Epoch seconds. */
export type Moments = { from: number; to: number }

type Props = {
  /** The initial values of the fields. */
  start: Moments
  /** An IANA time zone name; defaults to the browser's zone. */
  zone?: string | undefined
  /** Called with undefined while the input is not a valid range. */
  onChange: (range: Moments | undefined) => void
}

export function DateTimeRange({ start, zone, onChange }: Props) {
  const t = usePhrases('kit')
  const id = useId()
  const [texts, setTexts] = useState(() => ({ from: wallText(start.from, zone), to: wallText(start.to, zone) }))
  const wrong = [texts.from, texts.to].map((text) => wallMoment(text, zone) === undefined)
  const isWrong = rangeOf(texts, zone) === undefined
  const isUnread = wrong.includes(true)
  function write(name: keyof typeof texts, text: string) {
    const next = { ...texts, [name]: text }
    setTexts(next)
    onChange(rangeOf(next, zone))
  }
  return (
    <div className="grid gap-2">
      {(['from', 'to'] as const).map((name, index) => (
        <span key={name} className="grid gap-1">
          <label htmlFor={`${id}-${name}`} className="text-ink-2 text-xs">
            {t(`range.${name}`)}
          </label>
          <Input
            id={`${id}-${name}`}
            value={texts[name]}
            placeholder={t('moment.example', { moment: wallText(start[name], zone) })}
            autoComplete="off"
            spellCheck={false}
            aria-invalid={(isUnread ? wrong[index] : isWrong) || undefined}
            aria-describedby={isWrong ? `${id}-wrong` : undefined}
            className="num"
            onChange={(event) => write(name, event.target.value)}
            onKeyDown={(event) => stepByKey(event, (text) => write(name, text))}
          />
        </span>
      ))}
      {isWrong && (
        <p id={`${id}-wrong`} className="text-bad text-xs">
          {t(isUnread ? 'moment.wrong' : 'range.order')}
        </p>
      )}
    </div>
  )
}

function rangeOf(texts: { from: string; to: string }, zone: string | undefined): Moments | undefined {
  const [from, to] = [wallMoment(texts.from, zone), wallMoment(texts.to, zone)]
  return from !== undefined && to !== undefined && from < to ? { from, to } : undefined
}
