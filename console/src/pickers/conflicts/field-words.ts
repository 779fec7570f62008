/** Describes changes of a form's fields, using the form's own labels. */
import type { RuleKinds, RuleSay } from '../../platform/rule-kinds.ts'
import { fieldChanges } from '../sentences/rule-words.ts'
import type { Fields } from './merge.ts'

/** `labels` are the labels of the fields; a field without one is shown by its name in the API. */
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
