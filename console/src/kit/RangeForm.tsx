/** The choices of a range of time: presets, `45m` and the like, two moments in a zone. */
import { type FormEvent, useId, useState } from 'react'
import { usePhrases } from '../app/phrases.ts'
import { presetNames, type RangeState, relativeMinutes, resolveRange } from '../app/time-range.ts'
import { browserZone, offeredZones, wallMoment, wallText } from '../app/time-zone.ts'
import { Button } from './Button.tsx'
import { Input } from './Input.tsx'
import { Select } from './Select.tsx'
import { Segments } from './Toggle.tsx'

type Props = { state: RangeState; go: (patch: Partial<RangeState>) => void }

export function RangeForm({ state, go }: Props) {
  const t = usePhrases('kit')
  const isDrawn = state.from !== undefined && state.to !== undefined
  return (
    <div className="grid gap-3">
      <Segments
        label={t('range.presets')}
        value={isDrawn ? '' : state.range}
        onChange={(range) => go({ range, from: undefined, to: undefined })}
        options={presetNames.map((value) => ({ value: value as string, label: t(`range.${value}`) }))}
        className="grid grid-cols-4 [&_button]:px-1"
      />
      <Relative range={isDrawn ? '' : state.range} go={go} />
      <Moments state={state} go={go} />
      <Select
        label={t('range.zone')}
        named
        value={state.tz ?? ''}
        onChange={(tz) => go({ tz: tz || undefined })}
        options={[
          { value: '', label: t('range.zoneHere', { zone: browserZone() }) },
          ...[...new Set([...offeredZones, ...(state.tz ? [state.tz] : [])])].map((zone) => ({
            value: zone as string,
            label: zone,
          })),
        ]}
        className="w-full"
      />
    </div>
  )
}

function Relative({ range, go }: { range: string; go: Props['go'] }) {
  const t = usePhrases('kit')
  const [text, setText] = useState(relativeMinutes(range) === undefined ? '' : range)
  const id = useId()
  const isWrong = text !== '' && relativeMinutes(text) === undefined
  function submit(event: FormEvent) {
    event.preventDefault()
    if (text && !isWrong) go({ range: text, from: undefined, to: undefined })
  }
  return (
    <form onSubmit={submit} className="grid grid-cols-[1fr_auto] gap-x-2 gap-y-1">
      <label htmlFor={id} className="col-span-2 text-ink-2 text-xs">
        {t('range.relative')}
      </label>
      <Input
        id={id}
        value={text}
        placeholder="45m, 12h, 90d"
        aria-invalid={isWrong || undefined}
        aria-describedby={`${id}-help`}
        onChange={(event) => setText(event.target.value.trim())}
      />
      <Button type="submit">{t('filter.apply')}</Button>
      <p id={`${id}-help`} className={isWrong ? 'col-span-2 text-bad text-xs' : 'sr-only'}>
        {t('range.relativeHelp')}
      </p>
    </form>
  )
}

function Moments({ state, go }: Props) {
  const t = usePhrases('kit')
  const shown = resolveRange(state, Date.now())
  const [from, setFrom] = useState(wallText(shown.startTime, state.tz))
  const [to, setTo] = useState(wallText(shown.endTime, state.tz))
  const id = useId()
  const [first, last] = [wallMoment(from, state.tz), wallMoment(to, state.tz)]
  const isWrong = first === undefined || last === undefined || first >= last
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isWrong) go({ from: first, to: last })
  }
  const field = (name: 'from' | 'to', value: string, set: (value: string) => void) => (
    <span className="grid gap-1">
      <label htmlFor={`${id}-${name}`} className="text-ink-2 text-xs">
        {t(`range.${name}`)}
      </label>
      <Input
        id={`${id}-${name}`}
        type="datetime-local"
        value={value}
        aria-invalid={isWrong || undefined}
        className="num"
        onChange={(event) => set(event.target.value)}
      />
    </span>
  )
  return (
    <form onSubmit={submit} className="grid gap-2">
      {field('from', from, setFrom)}
      {field('to', to, setTo)}
      {isWrong && <p className="text-bad text-xs">{t('range.order')}</p>}
      <Button type="submit" look="solid">
        {t('range.applyMoments')}
      </Button>
    </form>
  )
}
