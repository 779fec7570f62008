/** The interface language: the browser's initially, then the person's choice; zh_TW if nothing matches. */
import { tagOf } from '@breakwater/contract/phrases.ts'
import { createContext, useContext } from 'react'

export const locales = { zh_TW: '繁體中文', zh_CN: '简体中文', en_US: 'English' } as const
export type Locale = keyof typeof locales
/** Titles are separate from the phrases, so that the navigation loads no area's words. */
export type { Title } from '@breakwater/contract/phrases.ts'

const storageKey = 'breakwater.locale'

/** Returns the locale for a browser's language list. */
export function matchLocale(languages: readonly string[]): Locale {
  for (const language of languages) {
    if (/^en\b/i.test(language)) return 'en_US'
    if (/^zh-(hant|tw|hk|mo)\b/i.test(language)) return 'zh_TW'
    if (/^zh\b/i.test(language)) return 'zh_CN'
  }
  return 'zh_TW'
}

export function startLocale(): Locale {
  const stored = localStorage.getItem(storageKey)
  return stored !== null && stored in locales ? (stored as Locale) : matchLocale(navigator.languages)
}

let current: Locale = 'zh_TW'
export const currentLocale = (): Locale => current

/** Sets the locale that code outside React reads. */
export function applyLocale(locale: Locale, isChoice: boolean): void {
  current = locale
  document.documentElement.lang = tagOf(locale)
  if (isChoice) localStorage.setItem(storageKey, locale)
}

/** Follows a choice made in another tab. Returns a function that stops following. */
export function followLocale(follow: (locale: Locale) => void): () => void {
  const hear = ({ key, newValue }: StorageEvent) => {
    if (key !== storageKey || newValue === null || !(newValue in locales)) return
    applyLocale(newValue as Locale, false)
    follow(newValue as Locale)
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

type LocaleState = { locale: Locale; setLocale: (locale: Locale) => void }

/** Undefined for what is shown before the root renders: pages that are loading or failed. */
export const LocaleContext = createContext<LocaleState | undefined>(undefined)
export const useLocale = (): LocaleState => useContext(LocaleContext) ?? { locale: current, setLocale: () => {} }
