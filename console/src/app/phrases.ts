/** Words by area and language, loaded when an area is first shown. zh_TW is the source; a missing phrase does not compile. */
import { use } from 'react'
import type { phrases as account } from '../phrases/account/zh_TW.ts'
import type { phrases as announcements } from '../phrases/announcements/zh_TW.ts'
import type { phrases as app } from '../phrases/app/zh_TW.ts'
import type { phrases as audit } from '../phrases/audit/zh_TW.ts'
import type { phrases as auth } from '../phrases/auth/zh_TW.ts'
import type { phrases as brand } from '../phrases/brand/zh_TW.ts'
import type { phrases as delivery } from '../phrases/delivery/zh_TW.ts'
import type { phrases as domains } from '../phrases/domains/zh_TW.ts'
import type { phrases as errors } from '../phrases/errors/zh_TW.ts'
import type { phrases as firewall } from '../phrases/firewall/zh_TW.ts'
import type { phrases as kit } from '../phrases/kit/zh_TW.ts'
import type { phrases as licenses } from '../phrases/licenses/zh_TW.ts'
import type { phrases as logs } from '../phrases/logs/zh_TW.ts'
import type { phrases as messages } from '../phrases/messages/zh_TW.ts'
import type { phrases as modules } from '../phrases/modules/zh_TW.ts'
import type { phrases as nodes } from '../phrases/nodes/zh_TW.ts'
import type { phrases as people } from '../phrases/people/zh_TW.ts'
import type { phrases as permissions } from '../phrases/permissions/zh_TW.ts'
import type { phrases as rules } from '../phrases/rules/zh_TW.ts'
import type { phrases as sites } from '../phrases/sites/zh_TW.ts'
import type { phrases as statistics } from '../phrases/statistics/zh_TW.ts'
import type { phrases as system } from '../phrases/system/zh_TW.ts'
import { currentLocale, type Locale, useLocale } from './locale.ts'

/** Every key of the source, no more, no fewer. */
export type Phrases<Source> = { readonly [Key in keyof Source]: string }

type Areas = {
  account: typeof account
  announcements: typeof announcements
  app: typeof app
  audit: typeof audit
  auth: typeof auth
  brand: typeof brand
  delivery: typeof delivery
  domains: typeof domains
  errors: typeof errors
  firewall: typeof firewall
  kit: typeof kit
  licenses: typeof licenses
  logs: typeof logs
  messages: typeof messages
  modules: typeof modules
  nodes: typeof nodes
  people: typeof people
  permissions: typeof permissions
  rules: typeof rules
  sites: typeof sites
  statistics: typeof statistics
  system: typeof system
}
export type Area = keyof Areas
export type Key<A extends Area> = keyof Areas[A] & string

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never
type Arguments<Text> = [Places<Text>] extends [never] ? [] : [Record<Places<Text>, string | number>]
/** Keys of texts that take no values. */
export type PlainKey<A extends Area> = { [K in Key<A>]: [Places<Areas[A][K]>] extends [never] ? K : never }[Key<A>]
export type Say<A extends Area> = <K extends Key<A>>(key: K, ...values: Arguments<Areas[A][K]>) => string

type Texts = Record<string, string>
const files = import.meta.glob<{ phrases: Texts }>('../phrases/*/*.ts')
const loaded = new Map<string, Promise<Texts>>()

/** The texts of an area. The promise stays the same, so that `use` may read it while rendering. */
export function loadPhrases(area: Area, locale: Locale): Promise<Texts> {
  const file = `../phrases/${area}/${locale}.ts`
  const known = loaded.get(file)
  if (known) return known
  const loading = files[file]!().then((module) => module.phrases)
  loaded.set(file, loading)
  // As React marks promises that it has waited for: `use` then reads at once, and a page that has its words does not blink.
  loading.then(
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    // A chunk that did not arrive is asked for again next time.
    () => loaded.delete(file),
  )
  return loading
}

/** Puts values in their places. `one|other` is chosen by `n`; only English has both. */
export function fill(text: string, locale: Locale, values: Record<string, string | number> = {}): string {
  const n = values.n
  const [one, other] = text.split('|')
  const isPlural = typeof n === 'number' && other !== undefined
  const chosen = isPlural && new Intl.PluralRules(locale.replace('_', '-')).select(n) === 'one' ? one! : (other ?? one!)
  return (isPlural ? chosen : text).replace(/\{(\w+)\}/g, (place, name: string) => {
    const value = values[name]
    if (value === undefined) return place
    return typeof value === 'number' ? new Intl.NumberFormat(locale.replace('_', '-')).format(value) : value
  })
}

const sayers = new Map<Texts, unknown>()

/** The words of one area in the chosen language. */
export function usePhrases<A extends Area>(area: A): Say<A> {
  const { locale } = useLocale()
  const texts = use(loadPhrases(area, locale))
  const known = sayers.get(texts)
  if (known) return known as Say<A>
  const say = (key: string, values?: Record<string, string | number>) => fill(texts[key] ?? key, locale, values)
  sayers.set(texts, say)
  return say as unknown as Say<A>
}

/** The same outside of rendering. */
export async function phrasesNow<A extends Area>(area: A): Promise<Say<A>> {
  const locale = currentLocale()
  const texts = await loadPhrases(area, locale)
  return ((key: string, values?: Record<string, string | number>) =>
    fill(texts[key] ?? key, locale, values)) as unknown as Say<A>
}
