/** Formats numbers, volumes and times for people, in a language and a time zone: on pages and in files. */
import { kept, later } from './kept.ts'
import { type Locale, tagOf } from './phrases.ts'
import { splitBytes } from './units.ts'

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
  const numbers = (options?: Intl.NumberFormatOptions) => later(() => new Intl.NumberFormat(tag, options))
  const dates = (options: Intl.DateTimeFormatOptions, ofTag = tag) =>
    later(() => new Intl.DateTimeFormat(ofTag, { ...options, ...zone }))
  const whole = numbers()
  const short = numbers({ notation: 'compact', maximumFractionDigits: 2 })
  const decimals = numbers({ maximumFractionDigits: 2 })
  const share = numbers({ style: 'percent', maximumFractionDigits: 1 })
  const signed = numbers({ style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const signedDecimals = numbers({ maximumFractionDigits: 1, signDisplay: 'exceptZero' })
  const full = dates({ dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' })
  const dayOfYear = dates({ month: 'short', day: 'numeric' })
  const dayOfAnyYear = dates({ dateStyle: 'medium' })
  const year = dates({ year: 'numeric' }, 'en')
  /** Includes the year if it is not the current one. */
  const day = (value: string | number, now = Date.now()) => {
    const date = new Date(value)
    return (year().format(date) === year().format(now) ? dayOfYear : dayOfAnyYear)().format(date)
  }
  const clock = dates({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const dayClock = dates({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const clockSeconds = dates({ timeStyle: 'medium', hourCycle: 'h23' })
  // British English, because the American short form ends in a full stop: `2 min. ago`.
  const relative = later(
    () => new Intl.RelativeTimeFormat(locale === 'en_US' ? 'en-GB' : tag, { numeric: 'auto', style: 'short' }),
  )
  const unit = kept((name: string) => new Intl.NumberFormat(tag, { style: 'unit', unit: name, unitDisplay: 'narrow' }))
  const bytes = (value: number) => {
    const { value: amount, unit } = splitBytes(value)
    // The specified unit of small volumes has no plural (`999 Byte`); zero is shown without it.
    return `${decimals().format(amount)} ${value === 0 ? 'KB' : unit}`
  }
  return {
    number: (value: number) => whole().format(value),
    /** 82.4M, 1.93億 */
    compact: (value: number) => short().format(value),
    percent: (value: number) => share().format(value),
    bytes,
    /** 9.84 Gbps: base 1000, like volumes. */
    bitsPerSecond(value: number) {
      const { value: amount, unit } = splitBytes(value)
      return `${decimals().format(amount)} ${unit === 'Byte' ? 'bps' : `${unit[0]}bps`}`
    },
    /** +8.1 */
    signed: (value: number) => signedDecimals().format(value),
    decimal: (value: number) => decimals().format(value),
    /** +8.1 %, −0.6 %. */
    change: (value: number) => signed().format(value),
    bytesPerSecond: (value: number) => `${bytes(value)}/s`,
    ms: (value: number) => (value < 1000 ? `${Math.round(value)} ms` : `${decimals().format(value / 1000)} s`),
    moment: (value: string | number) => full().format(new Date(value)),
    day: (value: string | number) => day(value),
    clock: (value: string | number) => clock().format(new Date(value)),
    /** Nov 21, 14:05 */
    dayClock: (value: string | number) => dayClock().format(new Date(value)),
    clockSeconds: (value: string | number) => clockSeconds().format(new Date(value)),
    /** `2 min ago`; a date if older than a week. */
    ago(value: string | number, now = Date.now()) {
      const distance = new Date(value).getTime() - now
      if (Math.abs(distance) > 7 * 24 * 60 * minuteMs) return day(value, now)
      const [step, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? ['second', 1000]
      return relative().format(Math.trunc(distance / size), step)
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
        .map(([name, amount]) => unit(name).format(amount))
        .join(' ')
    },
  }
}
