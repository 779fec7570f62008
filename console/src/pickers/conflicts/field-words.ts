/** What changed of a form's fields, under the names that the form has for them. */
import type { RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { fieldChanges } from '../sentences/rule-words.ts'
import type { Fields } from './merge.ts'

/** `labels` are the fields' names on screen; a field without one is shown by the name that the API has for it. */
export function fieldWords(labels: ReadonlyMap<string, string>) {
  return (was: Fields, is: Fields, say: RuleSay): string => {
    const fields = Object.fromEntries(
      [...labels].map(([field, label]) => [field, { en_US: label, zh_CN: label, zh_TW: label }]),
    )
    const form = { name: { en_US: '', zh_CN: '', zh_TW: '' }, fields, when: () => [], does: () => '' }
    const kinds: RuleKinds = { form }
    return fieldChanges(kinds, 'form', was, is, say)
  }
}
