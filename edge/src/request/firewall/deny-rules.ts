/** Deny rules: addresses that are refused, at some URLs and methods or at all. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../guard.ts'
import { firstVerdict } from './first-verdict.ts'
import { compileIpRules, type IpRule, namesVisitor } from './ip-rules.ts'
import { blocked, enforced } from './rule.ts'

function ask(rule: IpRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!namesVisitor(rule, request, tools)) return undefined
  return enforced(rule.when, request, blocked('denyRules', rule.when.id, causes.denyList))
}

export const denyRules: Guard<IpRule[]> = {
  name: 'denyRules',
  phase: 'headers',
  compile: (firewall, tools) => compileIpRules(firewall.denyRules, tools),
  check: (rules, request, tools) => firstVerdict(rules, ask, request, tools),
}
