/** Header rules of a site, checked after those of the domain. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Guard } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { compileHeaderRules, type HeaderRule, judgeHeader } from './header-guard.ts'

const { first: firstRule, ready } = firstVerdictOf(judgeHeader)

export const headerRules: Guard<HeaderRule[], 'firewall'> = {
  name: 'headerRules',
  takes: 'firewall',
  phase: 'headers',
  compile: (firewall, tools) => ready(compileHeaderRules('headerRules', firewall.headerRules, tools)),
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
