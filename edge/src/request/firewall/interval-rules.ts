/** Interval rules: at most so many requests in so many seconds from one address. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Guard } from '../lib/guard.ts'
import { type CountedRule, countedRule, judgeCounted } from './counted-rules.ts'
import { firstVerdictOf } from './first-verdict.ts'

const { first: firstRule, ready } = firstVerdictOf(judgeCounted)

export const intervalRules: Guard<CountedRule[], 'firewall'> = {
  name: 'intervalRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.intervalRules
    if (rules === undefined || rules.length === 0) return undefined
    return ready(rules.map((rule) => countedRule('intervalRules', `i${rule.id}`, rule, undefined, tools)))
  },
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
