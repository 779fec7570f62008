/** Allow rules: who is on them meets no further guard. An allow list always wins over a ban. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Guard } from '../guard.ts'
import { compileIpRules, type IpRule, namesVisitor } from './ip-rules.ts'
import { enforced } from './rule.ts'

export const allowRules: Guard<IpRule[]> = {
  name: 'allowRules',
  phase: 'headers',
  compile: (firewall, tools) => compileIpRules(firewall.allowRules, tools),
  check(rules, request, tools) {
    for (const rule of rules) {
      if (!namesVisitor(rule, request, tools)) continue
      const id = rule.when.id
      const verdict = enforced(rule.when, request, {
        action: 'allow',
        guard: 'allowRules',
        rule: id,
        cause: causes.none,
        status: 0,
        blockType: 0,
      })
      if (verdict !== undefined) return verdict
    }
    return undefined
  },
}
