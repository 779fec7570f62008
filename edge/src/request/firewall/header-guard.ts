/** What anti-header rules of a domain and header rules of a site have in common: requests with a header that nobody should send. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import type { EdgeHeaderRule } from '@breakwater/contract/firewall/header-rules.ts'
import type { CompileTools, EdgeRequest, Regex, Tools, Verdict } from '../lib/guard.ts'
import { applies, type Condition, condition, refusedOrChallenged } from './rule.ts'

export type HeaderRule = {
  guard: GuardName
  when: Condition
  header: string
  /** Absent for every value of a header that is there. */
  value: Regex | undefined
  /** Whether the rule means requests without the header; nothing before it was first asked. */
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
    // Most requests lack the header: the expression is asked about that once.
    if (rule.ofAbsent === undefined) rule.ofAbsent = rule.value !== undefined && tools.matches(rule.value, '')
    if (!rule.ofAbsent) return undefined
  } else if (rule.value !== undefined && !tools.matches(rule.value, value) && !isRepeatedlyMeant(rule, tools))
    return undefined
  const verdict = refusedOrChallenged(rule.guard, rule.when, rule.blockType, causes.accessRule, request, tools)
  return verdict
}

/** Whether any value of a header that was sent more than once is meant: nobody knows which of them the origin reads. */
function isRepeatedlyMeant({ header, value }: HeaderRule, tools: Tools): boolean {
  const values = tools.repeated(header)
  if (values === undefined) return false
  for (const one of values) if (tools.matches(value!, one)) return true
  return false
}
