/** Allow rules: who is on them meets no further guard. An allow list always wins over a ban. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../guard.ts'
import { firstVerdict } from './first-verdict.ts'
import { compileIpRules, type IpRule, namesVisitor } from './ip-rules.ts'
import { enforced } from './rule.ts'

function ask(rule: IpRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!namesVisitor(rule, request, tools)) return undefined
  return enforced(rule.when, request, {
    action: 'allow',
    guard: 'allowRules',
    rule: rule.when.id,
    cause: causes.none,
    status: 0,
    blockType: 0,
  })
}

export const allowRules: Guard<IpRule[]> = {
  name: 'allowRules',
  phase: 'headers',
  compile: (firewall, tools) => compileIpRules(firewall.allowRules, tools),
  check: (rules, request, tools) => firstVerdict(rules, ask, request, tools),
}
