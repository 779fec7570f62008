/** Sentences of rules in the page's language. */
import { frequencies } from '@breakwater/contract/firewall/frequencies.ts'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { useLocale } from '../../platform/locale.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { type RuleFields, type RuleSay, useRuleKinds } from '../../platform/rule-kinds.ts'
import { changeWords, makeRuleSay, ruleWords, type Words } from '../sentences/rule-words.ts'

export function useRuleSay(): RuleSay {
  const t = usePhrases('rules')
  const format = useFormat()
  const { locale } = useLocale()
  // Cached frequencies only: most pages have no rule that refers to one.
  const { data } = useCall(frequencies.get, {}, { enabled: false })
  return makeRuleSay(t, format, locale, data)
}

export function useRuleWords(): (kind: string, rule: RuleFields) => Words {
  const kinds = useRuleKinds()
  const say = useRuleSay()
  return (kind, rule) => ruleWords(kinds, kind, rule, say)
}

export function useChangeWords(): (kind: string, before: unknown, after: unknown) => string {
  const kinds = useRuleKinds()
  const say = useRuleSay()
  return (kind, before, after) => changeWords(kinds, kind, before, after, say)
}
