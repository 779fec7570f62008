/** Reputation rules: challenge visitors whose address has at least a given score. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, type Condition, challenged, condition, enforced } from './rule.ts'

type ReputationRule = { when: Condition; score: number; blockType: number }

function judged(this: void, rule: ReputationRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (request.score < rule.score || !applies(rule.when, request, tools)) return undefined
  if (tools.hasPassed(request, rule.blockType)) return undefined
  return enforced(rule.when, request, challenged('reputationRules', rule.when.id, rule.blockType))
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const reputationRules: Guard<ReputationRule[], 'firewall'> = {
  name: 'reputationRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.reputationRules
    if (rules === undefined || rules.length === 0) return undefined
    return ready(rules.map((rule) => ({ when: condition(rule, tools), score: rule.score, blockType: rule.blockType })))
  },
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    request.score = tools.reputation(request.addressBytes)
    // Most addresses have no score, so no rule needs to be checked.
    if (request.score === 0) return undefined
    return firstRule(rules, request, tools)
  },
}
