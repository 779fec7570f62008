/** Address rules, for the allow list and the deny list: a short list is in the rule, a long one in a mapped file. */
import type { EdgeIpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import type { AddressList, CompileTools, EdgeRequest, Tools } from '../lib/guard.ts'
import { applies, type Condition, condition } from './rule.ts'

export type IpRule = { when: Condition; ranges: RangeSet | undefined; list: AddressList | undefined }

/** Compiles the rules of one list. Returns undefined if there are none. `grants` is for the allow list. */
export function compileIpRules(
  rules: readonly EdgeIpRule[] | undefined,
  tools: CompileTools,
  grants: boolean,
): IpRule[] | undefined {
  if (rules === undefined || rules.length === 0) return undefined
  return rules.map((rule) => {
    if ((rule.ips === undefined) === (rule.list === undefined))
      throw new Error(`rule ${rule.id} needs either ips or a list`)
    return {
      when: condition(rule, tools, grants),
      ranges: rule.ips === undefined ? undefined : rangeSet(rule.ips),
      list: rule.list === undefined ? undefined : tools.addressList(rule.list),
    }
  })
}

/** Whether a rule matches the client. The address is looked up first, since it excludes most rules. */
export function namesClient(rule: IpRule, request: EdgeRequest, tools: Tools): boolean {
  const found =
    rule.ranges !== undefined
      ? inRangeSet(rule.ranges, request.addressBytes)
      : tools.listed(rule.list!, request.addressBytes)
  return found && applies(rule.when, request, tools)
}
