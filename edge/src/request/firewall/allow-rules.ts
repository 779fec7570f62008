/** Allow rules: clients that match skip all further guards. An allow list always takes precedence over a ban. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { compileIpRules, type IpRule, namesClient } from './ip-rules.ts'
import { enforced } from './rule.ts'

function ask(this: void, rule: IpRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!namesClient(rule, request, tools)) return undefined
  return enforced(rule.when, request, {
    action: 'allow',
    guard: 'allowRules',
    rule: rule.when.id,
    cause: causes.none,
    status: 0,
    blockType: 0,
  })
}

const { first: firstRule, ready } = firstVerdictOf(ask)

export const allowRules: Guard<IpRule[], 'firewall'> = {
  name: 'allowRules',
  takes: 'firewall',
  phase: 'headers',
  compile: (firewall, tools) => ready(compileIpRules(firewall.allowRules, tools, true)),
  check: (rules, request, tools) => firstRule(rules, request, tools),
}
