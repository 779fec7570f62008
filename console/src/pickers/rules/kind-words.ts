/**
 * The texts on a kind of rule in the log and the audit log, derived from the title of its page, so that no kind repeats
 * them.
 */

import { fill } from '@breakwater/contract/phrases.ts'
import type { Locale } from '../../platform/locale.ts'
import type { Area } from '../../platform/manifest.ts'

const verbs = ['create', 'update', 'remove', 'move'] as const

/** Returns additional texts for a words file, `<area>/<locale>`. */
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
