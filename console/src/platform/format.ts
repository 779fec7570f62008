/** Numbers, volumes and moments as people read them, in the chosen language and the page's time zone. */
import { splitBytes } from '@breakwater/contract/units.ts'
import { useMemo } from 'react'
import { type Locale, tagOf, useLocale } from './locale.ts'
import { useTimeZone } from './time-zone.ts'

const minuteMs = 60_000
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
  ['second', 1000],
]

export type Format = ReturnType<typeof makeFormat>

export function makeFormat(locale: Locale, timeZone?: string) {
  const tag = tagOf(locale)
  const zone = timeZone ? { timeZone } : {}
  const whole = new Intl.NumberFormat(tag)
  const short = new Intl.NumberFormat(tag, { notation: 'compact', maximumFractionDigits: 2 })
  const decimals = new Intl.NumberFormat(tag, { maximumFractionDigits: 2 })
  const share = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 })
  const signed = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const signedDecimals = new Intl.NumberFormat(tag, { maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const full = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', ...zone })
  const dayOfYear = new Intl.DateTimeFormat(tag, { month: 'short', day: 'numeric', ...zone })
  const dayOfAnyYear = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', ...zone })
  const year = new Intl.DateTimeFormat('en', { year: 'numeric', ...zone })
  /** With its year where that is not this one. */
  const day = (value: string | number, now = Date.now()) => {
    const date = new Date(value)
    return (year.format(date) === year.format(now) ? dayOfYear : dayOfAnyYear).format(date)
  }
  const clock = new Intl.DateTimeFormat(tag, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...zone })
  const dayClock = new Intl.DateTimeFormat(tag, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...zone,
  })
  const clockSeconds = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', hourCycle: 'h23', ...zone })
  // British, as the American short form ends in a full stop: `2 min. ago`.
  const relative = new Intl.RelativeTimeFormat(locale === 'en_US' ? 'en-GB' : tag, { numeric: 'auto', style: 'short' })
  const bytes = (value: number) => {
    const { value: amount, unit } = splitBytes(value)
    // The unit of small volumes is a given word without a plural (`999 Byte`): nothing at all is said without it.
    return `${decimals.format(amount)} ${value === 0 ? 'KB' : unit}`
  }
  return {
    number: (value: number) => whole.format(value),
    /** 82.4M, 1.93億 */
    compact: (value: number) => short.format(value),
    percent: (value: number) => share.format(value),
    bytes,
    /** 9.84 Gbps: base 1000 like volumes. */
    bitsPerSecond(value: number) {
      const { value: amount, unit } = splitBytes(value)
      return `${decimals.format(amount)} ${unit === 'Byte' ? 'bps' : `${unit[0]}bps`}`
    },
    /** +8.1 */
    signed: (value: number) => signedDecimals.format(value),
    decimal: (value: number) => decimals.format(value),
    /** +8.1 %, −0.6 %. */
    change: (value: number) => signed.format(value),
    bytesPerSecond: (value: number) => `${bytes(value)}/s`,
    ms: (value: number) => (value < 1000 ? `${Math.round(value)} ms` : `${decimals.format(value / 1000)} s`),
    moment: (value: string | number) => full.format(new Date(value)),
    day: (value: string | number) => day(value),
    clock: (value: string | number) => clock.format(new Date(value)),
    /** Nov 21, 14:05 */
    dayClock: (value: string | number) => dayClock.format(new Date(value)),
    clockSeconds: (value: string | number) => clockSeconds.format(new Date(value)),
    /** `2 min ago`; older than a week as a date. */
    ago(value: string | number, now = Date.now()) {
      const distance = new Date(value).getTime() - now
      if (Math.abs(distance) > 7 * 24 * 60 * minuteMs) return day(value, now)
      const [unit, size] = steps.find(([, step]) => Math.abs(distance) >= step) ?? ['second', 1000]
      return relative.format(Math.trunc(distance / size), unit)
    },
    /** `3 d 4 h` for uptimes: the two largest parts. */
    duration(seconds: number) {
      const parts = [
        ['day', Math.floor(seconds / 86_400)],
        ['hour', Math.floor(seconds / 3600) % 24],
        ['minute', Math.floor(seconds / 60) % 60],
        ['second', Math.floor(seconds) % 60],
      ] as const
      const from = parts.findIndex(([, amount]) => amount > 0)
      return parts
        .slice(Math.max(0, from), Math.max(0, from) + 2)
        .filter(([, amount], index) => index === 0 || amount > 0)
        .map(([unit, amount]) =>
          new Intl.NumberFormat(tag, { style: 'unit', unit, unitDisplay: 'narrow' }).format(amount),
        )
        .join(' ')
    },
  }
}

export function useFormat(): Format {
  const { locale } = useLocale()
  const zone = useTimeZone()
  return useMemo(() => makeFormat(locale, zone), [locale, zone])
}
