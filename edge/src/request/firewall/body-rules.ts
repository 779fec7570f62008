/**
 * Body rules: refuse requests whose body contains a text. The body is read only if a rule's URL and method match;
 * everything else streams. It is compared byte by byte, and read once however many rules need it.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, blocked, type Condition, condition, enforced } from './rule.ts'

export type BodyRule = { when: Condition; contains: string; blockOversize: boolean }

/** How many bytes of a body are inspected at most (contract/src/firewall/body-rules.ts). */
export const bodyBytesMax = 65_536

function ask(this: void, rule: BodyRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  const body = tools.body(bodyBytesMax)
  const hit = body === undefined ? rule.blockOversize : body.indexOf(rule.contains) >= 0
  if (!hit) return undefined
  return enforced(rule.when, request, blocked('bodyRules', rule.when.id, causes.accessRule))
}

const { first: firstRule, ready } = firstVerdictOf(ask)

export const bodyRules: Guard<BodyRule[], 'firewall'> = {
  name: 'bodyRules',
  takes: 'firewall',
  phase: 'body',
  compile(firewall, tools) {
    const rules = firewall.bodyRules
    if (rules === undefined || rules.length === 0) return undefined
    return ready(
      rules.map((rule) => ({
        when: condition(rule, tools),
        contains: rule.contains,
        blockOversize: rule.oversize === 'block',
      })),
    )
  },
  check: (rules, request, tools) => firstRule(rules, request, tools),
}
