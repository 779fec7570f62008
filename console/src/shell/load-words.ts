/** Loads the words of a page in the current language; the sentences of rules come with the words of rules. */
import { currentLocale } from '../platform/locale.ts'
import { type Area, loadPhrases } from '../platform/phrases.ts'
import { loadRuleKinds } from '../platform/rule-kinds.ts'

export const loadWords = (areas: readonly Area[] = []): Promise<unknown> =>
  Promise.all([
    ...areas.map((area) => loadPhrases(area, currentLocale())),
    ...(areas.includes('rules') ? [loadRuleKinds()] : []),
  ])
