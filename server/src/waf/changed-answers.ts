/**
 * Response rules that differ from those in the previous set. Past responses cannot be evaluated, so all of them only
 * observe first. Pure.
 */
import type { WafRule, WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import { canonicalJson } from '../publish/canonical.ts'

type Answers = Pick<WafRulesPart, 'rules'> | undefined
export type ChangedRule = { ruleID: number; isNew: boolean }

/**
 * Returns only scoring rules: the others set variables that these read, so if one of the others changed, all scoring
 * rules that read variables count as changed.
 */
export function changedAnswerRules(before: Answers, now: Answers): ChangedRule[] {
  const known = new Map((before?.rules ?? []).map((rule) => [rule.id, canonicalJson(rule)]))
  const isChanged = (rule: WafRule) => known.get(rule.id) !== canonicalJson(rule)
  const rules = now?.rules ?? []
  const areSettersChanged = rules.some((rule) => !isScoring(rule) && isChanged(rule))
  return rules
    .filter((rule) => isScoring(rule) && (isChanged(rule) || (areSettersChanged && asksForWhatIsSet(rule))))
    .map(({ id }) => ({ ruleID: id, isNew: !known.has(id) }))
}

const isScoring = ({ conditions }: WafRule): boolean => conditions.some(({ score }) => (score ?? 0) > 0)
const asksForWhatIsSet = ({ conditions }: WafRule): boolean =>
  conditions.some(({ targets }) => targets.some(({ from }) => from === 'TX'))
