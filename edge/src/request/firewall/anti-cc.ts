/** Anti-CC rules: clients with too many requests are challenged, and banned if they leave five challenges unsolved. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Guard } from '../lib/guard.ts'
import { type CountedRule, countedRule, judgeCounted } from './counted-rules.ts'
import { firstVerdictOf } from './first-verdict.ts'

const { first: firstRule, ready } = firstVerdictOf(judgeCounted)

export const antiCC: Guard<CountedRule[], 'firewall'> = {
  name: 'antiCC',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.antiCC
    if (rules === undefined || rules.length === 0) return undefined
    return ready(rules.map((rule) => countedRule('antiCC', `a${rule.id}`, rule, rule.blockSeconds, tools)))
  },
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
