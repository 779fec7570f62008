/** Rules about addresses, which the allow list and the deny list share: a short list in the rule, or a long one as a mapped file. */
import type { EdgeIpRule } from '@breakwater/contract/edge/artefact.ts'
import type { AddressList, CompileTools, EdgeRequest, Tools } from '../guard.ts'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import { applies, type Condition, condition } from './rule.ts'

export type IpRule = { when: Condition; ranges: RangeSet | undefined; list: AddressList | undefined }

/** Compiles the rules of one list; nothing where there are none. */
export function compileIpRules(rules: readonly EdgeIpRule[], tools: CompileTools): IpRule[] | undefined {
  if (rules.length === 0) return undefined
  return rules.map((rule) => {
    if ((rule.ips === undefined) === (rule.list === undefined))
      throw new Error(`rule ${rule.id} needs either ips or a list`)
    return {
      when: condition(rule, tools),
      ranges: rule.ips === undefined ? undefined : rangeSet(rule.ips),
      list: rule.list === undefined ? undefined : tools.addressList(rule.list),
    }
  })
}

/** Whether a rule names the visitor. The address is looked up first: it is what excludes most rules. */
export function namesVisitor(rule: IpRule, request: EdgeRequest, tools: Tools): boolean {
  const found =
    rule.ranges !== undefined
      ? inRangeSet(rule.ranges, request.addressBytes)
      : tools.listed(rule.list!, request.addressBytes)
  return found && applies(rule.when, request, tools)
}
