/** The choices for a time range: presets, `45m` and the like, two points in time in a zone. */
import { type FormEvent, useId, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { presetNames, type RangeState, relativeMinutes, resolveRange } from '../platform/time-range.ts'
import { browserZone, offeredZones } from '../platform/time-zone.ts'
import { Button } from './Button.tsx'
import { DateTimeRange, type Moments } from './DateTimeRange.tsx'
import { Input } from './Input.tsx'
import { Select } from './Select.tsx'
import { Segments } from './Toggle.tsx'

type Props = { state: RangeState; go: (patch: Partial<RangeState>) => void }

export function RangeForm({ state, go }: Props) {
  const t = usePhrases('kit')
  const isDrawn = state.from !== undefined && state.to !== undefined
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <Segments
        label={t('range.presets')}
        value={isDrawn ? '' : state.range}
        onChange={(range) => go({ range, from: undefined, to: undefined })}
        options={presetNames.map((value) => ({ value: value as string, label: t(`range.${value}`) }))}
        className="grid grid-cols-4 [&_button]:px-1"
      />
      <Relative range={isDrawn ? '' : state.range} go={go} />
      <TwoMoments state={state} go={go} />
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

function TwoMoments({ state, go }: Props) {
  const t = usePhrases('kit')
  const [start] = useState(() => {
    const { startTime, endTime } = resolveRange(state, Date.now())
    return { from: startTime, to: endTime }
  })
  const [range, setRange] = useState<Moments | undefined>(start)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (range) go(range)
  }
  return (
    <form onSubmit={submit} className="grid gap-2">
      <DateTimeRange start={start} zone={state.tz} onChange={setRange} />
      <Button type="submit" look="solid">
        {t('range.applyMoments')}
      </Button>
    </form>
  )
}
