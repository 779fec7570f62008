/** What the log and the audit log say of a kind of rule, made with the title of its page: no kind writes that anew. */

import { fill } from '@breakwater/contract/phrases.ts'
import type { Locale } from '../../platform/locale.ts'
import type { Area } from '../../platform/manifest.ts'

const verbs = ['create', 'update', 'remove', 'move'] as const

/** More texts of a file of words, `<area>/<locale>`. */
export function ruleWordsOf(
  file: string,
  areas: readonly Area[],
  texts: Readonly<Record<string, string>>,
): Record<string, string> {
  const [area, locale] = file.split('/') as [string, Locale]
  if (area !== 'logs' && area !== 'audit') return {}
  const kinds = areas.flatMap(({ siteTabs = [] }) =>
    siteTabs.flatMap(({ title, rules }) => (rules ? [{ ...rules, title: title[locale] }] : [])),
  )
  if (area === 'logs') return Object.fromEntries(kinds.map(({ kind, title }) => [`guard.${kind}`, title]))
  return Object.fromEntries(
    kinds.flatMap(({ actions, title }) =>
      verbs.map((verb) => [`act.${actions}.${verb}`, fill(texts[`rule.${verb}`]!, locale, { list: title })]),
    ),
  )
}
