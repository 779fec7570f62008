/**
 * Body rules: refuse requests whose body holds a text. The body is read only when URL and method of a rule match;
 * everything else streams. It is compared byte by byte, and read once however many rules ask.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Guard } from '../guard.ts'
import { applies, blocked, type Condition, condition, enforced } from './rule.ts'

export type BodyRule = { when: Condition; contains: string; blockOversize: boolean }

/** The most of a body that is looked at, in bytes (contract/src/firewall/body-rules.ts). */
export const bodyBytesMax = 65_536

export const bodyRules: Guard<BodyRule[]> = {
  name: 'bodyRules',
  phase: 'body',
  compile(firewall, tools) {
    const rules = firewall.bodyRules
    if (rules === undefined || rules.length === 0) return undefined
    return rules.map((rule) => ({
      when: condition(rule, tools),
      contains: rule.contains,
      blockOversize: rule.oversize === 'block',
    }))
  },
  check(rules, request, tools) {
    for (const rule of rules) {
      if (!applies(rule.when, request, tools)) continue
      const body = tools.body(bodyBytesMax)
      const hit = body === undefined ? rule.blockOversize : body.indexOf(rule.contains) >= 0
      if (!hit) continue
      const verdict = enforced(rule.when, request, blocked('bodyRules', rule.when.id, causes.accessRule))
      if (verdict !== undefined) return verdict
    }
    return undefined
  },
}
