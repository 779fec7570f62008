/** Phrases of one language with placeholders; the name of a language for Intl, and country names in it. */
import type { z } from 'zod'
import type { Locale as LocaleField } from './fields.ts'
import { kept } from './kept.ts'

export type Locale = z.output<typeof LocaleField>

/** A name in every language. */
export type Title = Readonly<Record<Locale, string>>

/** `zh-TW` for headers, `lang` and Intl. */
export const tagOf = (locale: Locale): string => locale.replace('_', '-')

const numbers = kept((locale: Locale) => new Intl.NumberFormat(tagOf(locale)))

/** Fills in the placeholders. `one|other` is chosen by `n`; only English has both. */
export function fill(text: string, locale: Locale, values: Record<string, string | number> = {}): string {
  const n = values.n
  const [one, other] = text.split('|')
  const isPlural = typeof n === 'number' && other !== undefined
  const chosen = isPlural && Math.abs(n) === 1 ? one! : (other ?? one!)
  return (isPlural ? chosen : text).replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    if (typeof value !== 'number') return value
    // The same in every language; the first use of Intl takes longer than all texts of a page.
    return Number.isInteger(value) && Math.abs(value) < 1000 ? String(value) : numbers(locale).format(value)
  })
}

/** Names of ISO 3166 codes. The edge writes `ZZ` for an address whose country is unknown. */
export const countryNames = kept((locale: Locale): ((code: string) => string) => {
  const names = new Intl.DisplayNames(tagOf(locale), { type: 'region', fallback: 'code' })
  return (code) => (/^[A-Z]{2}$/.test(code) ? (names.of(code) ?? code) : code)
})
