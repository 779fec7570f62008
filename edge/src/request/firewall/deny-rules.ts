/** Deny rules: addresses that are refused, either everywhere or for some URLs and methods. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { compileIpRules, type IpRule, namesClient } from './ip-rules.ts'
import { blocked, enforced } from './rule.ts'

function ask(this: void, rule: IpRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!namesClient(rule, request, tools)) return undefined
  return enforced(rule.when, request, blocked('denyRules', rule.when.id, causes.denyList))
}

const { first: firstRule, ready } = firstVerdictOf(ask)

export const denyRules: Guard<IpRule[], 'firewall'> = {
  name: 'denyRules',
  takes: 'firewall',
  phase: 'headers',
  compile: (firewall, tools) => ready(compileIpRules(firewall.denyRules, tools, false)),
  check: (rules, request, tools) => firstRule(rules, request, tools),
}
