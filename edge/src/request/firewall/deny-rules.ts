/** Deny rules: addresses that are refused, at some URLs and methods or at all. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Guard } from '../guard.ts'
import { compileIpRules, type IpRule, namesVisitor } from './ip-rules.ts'
import { blocked, enforced } from './rule.ts'

export const denyRules: Guard<IpRule[]> = {
  name: 'denyRules',
  phase: 'headers',
  compile: (firewall, tools) => compileIpRules(firewall.denyRules, tools),
  check(rules, request, tools) {
    for (const rule of rules) {
      if (!namesVisitor(rule, request, tools)) continue
      const verdict = enforced(rule.when, request, blocked('denyRules', rule.when.id, causes.denyList))
      if (verdict !== undefined) return verdict
    }
    return undefined
  },
}
