/**
 * Words by area and language, loaded when an area is first shown. zh_TW is the source; a missing phrase does not
 * compile.
 */
import { fill } from '@breakwater/contract/phrases.ts'
import { use } from 'react'
import { currentLocale, type Locale, useLocale } from './locale.ts'

/** Exactly the keys of the source. */
export type Phrases<Source> = { readonly [Key in keyof Source]: string }

/**
 * The source texts by area. Empty here: the `words/zh_TW.ts` of each area adds its own, so that no file lists them and
 * a missing key does not compile.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface Areas {}
export type Area = keyof Areas
export type Key<A extends Area> = keyof Areas[A] & string

type Places<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Places<Rest> : never
/** `n` chooses the plural, which a formatted number cannot. */
type Arguments<Text> = [Places<Text>] extends [never]
  ? []
  : [{ [Name in Places<Text>]: Name extends 'n' ? number : string | number }]
/** Keys of texts without placeholders. */
export type PlainKey<A extends Area> = { [K in Key<A>]: [Places<Areas[A][K]>] extends [never] ? K : never }[Key<A>]
export type Say<A extends Area> = <K extends Key<A>>(key: K, ...values: Arguments<Areas[A][K]>) => string

type Texts = Record<string, string>
/** Loaders of text files, by `<area>/<locale>`. */
type Loaders = ReadonlyMap<string, () => Promise<{ phrases: Texts }>>
let loaders: Loaders = new Map()
const loaded = new Map<string, Promise<Texts>>()

/** Called once at startup, by the module that knows all areas. */
export function providePhrases(all: Loaders): void {
  loaders = all
}

/** The texts of an area. The promise stays the same, so that `use` can read it while rendering. */
export function loadPhrases(area: Area, locale: Locale): Promise<Texts> {
  const file = `${area}/${locale}`
  const known = loaded.get(file)
  if (known) return known
  const loading = loaders.get(file)!().then((module) => module.phrases)
  loaded.set(file, loading)
  // Marked the way React marks promises that it has awaited: `use` then reads it at once, and a page with loaded words
  // does not flicker.
  loading.then(
    (value) => Object.assign(loading, { status: 'fulfilled', value }),
    // A chunk that failed to load is requested again next time.
    () => loaded.delete(file),
  )
  return loading
}

const sayers = new Map<Texts, unknown>()

/** The phrases of one area in the chosen language. */
export function usePhrases<A extends Area>(area: A): Say<A> {
  const { locale } = useLocale()
  const texts = use(loadPhrases(area, locale))
  const known = sayers.get(texts)
  if (known) return known as Say<A>
  const say = (key: string, values?: Record<string, string | number>) => fill(texts[key] ?? key, locale, values)
  sayers.set(texts, say)
  return say as unknown as Say<A>
}

/** The same for use outside of rendering. */
export async function phrasesNow<A extends Area>(area: A): Promise<Say<A>> {
  const locale = currentLocale()
  const texts = await loadPhrases(area, locale)
  return ((key: string, values?: Record<string, string | number>) =>
    fill(texts[key] ?? key, locale, values)) as unknown as Say<A>
}
