/** Anti-header rules of a domain. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Guard } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { compileHeaderRules, type HeaderRule, judgeHeader } from './header-guard.ts'

const { first: firstRule, ready } = firstVerdictOf(judgeHeader)

export const antiHeaders: Guard<HeaderRule[], 'firewall'> = {
  name: 'antiHeaders',
  takes: 'firewall',
  phase: 'headers',
  compile: (firewall, tools) => ready(compileHeaderRules('antiHeaders', firewall.antiHeaders, tools)),
  check(rules, request, tools) {
    // A client that answers a challenge was just stopped by such a rule.
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
