/** Common to a domain's anti-header rules and a site's header rules: they match requests with an unwanted header. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import type { EdgeHeaderRule } from '@breakwater/contract/firewall/header-rules.ts'
import type { CompileTools, EdgeRequest, Regex, Tools, Verdict } from '../lib/guard.ts'
import { applies, type Condition, condition, refusedOrChallenged } from './rule.ts'

export type HeaderRule = {
  guard: GuardName
  when: Condition
  header: string
  /** Absent if any value of the header matches. */
  value: Regex | undefined
  /** Whether the rule matches requests without the header; undefined until first needed. */
  ofAbsent: boolean | undefined
  blockType: number
}

export function compileHeaderRules(
  guard: GuardName,
  rules: readonly EdgeHeaderRule[] | undefined,
  tools: CompileTools,
): HeaderRule[] | undefined {
  if (rules === undefined || rules.length === 0) return undefined
  return rules.map((rule) => ({
    guard,
    when: condition(rule, tools),
    header: rule.header,
    value: rule.valueRegex === '' ? undefined : tools.regex(rule.valueRegex),
    ofAbsent: undefined,
    blockType: rule.blockType,
  }))
}

export function judgeHeader(this: void, rule: HeaderRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  const value = tools.header(rule.header)
  if (value === undefined) {
    // Most requests lack the header, so the expression is tested against that only once.
    if (rule.ofAbsent === undefined) rule.ofAbsent = rule.value !== undefined && tools.matches(rule.value, '')
    if (!rule.ofAbsent) return undefined
  } else if (rule.value !== undefined && !tools.matches(rule.value, value) && !isRepeatedlyMeant(rule, tools))
    return undefined
  const verdict = refusedOrChallenged(rule.guard, rule.when, rule.blockType, causes.accessRule, request, tools)
  return verdict
}

/** Whether any value of a repeated header matches: which of them the origin reads is unknown. */
function isRepeatedlyMeant({ header, value }: HeaderRule, tools: Tools): boolean {
  const values = tools.repeated(header)
  if (values === undefined) return false
  for (const one of values) if (tools.matches(value!, one)) return true
  return false
}
