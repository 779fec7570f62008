/** Region rules: refuse or challenge visitors from some countries and networks, or from all others. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, type Condition, condition, refusedOrChallenged } from './rule.ts'

type RegionRule = {
  when: Condition
  countries: Record<string, boolean>
  asns: Record<number, boolean> | undefined
  isBlack: boolean
  blockType: number
}

function judged(this: void, rule: RegionRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  // An address without data belongs to none of the countries and networks.
  const { asns } = rule
  const isMeant =
    rule.countries[tools.country(request.addressBytes)] === true ||
    (asns !== undefined && asns[tools.asn(request.addressBytes)] === true)
  if (isMeant !== rule.isBlack) return undefined
  if (!applies(rule.when, request, tools)) return undefined
  const verdict = refusedOrChallenged('regionRules', rule.when, rule.blockType, causes.denyList, request, tools)
  return verdict
}

function numbersOf(asns: readonly number[] | undefined): Record<number, boolean> | undefined {
  if (asns === undefined) return undefined
  const numbers: Record<number, boolean> = {}
  for (const asn of asns) numbers[asn] = true
  return numbers
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const regionRules: Guard<RegionRule[], 'firewall'> = {
  name: 'regionRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.regionRules
    if (rules === undefined || rules.length === 0) return undefined
    return ready(
      rules.map((rule) => {
        const countries: Record<string, boolean> = {}
        for (const code of rule.countries) countries[code] = true
        return {
          when: condition(rule, tools),
          countries,
          asns: numbersOf(rule.asns),
          isBlack: rule.isBlack,
          blockType: rule.blockType,
        }
      }),
    )
  },
  check(rules, request, tools) {
    if (request.path === answerPath) return undefined
    return firstRule(rules, request, tools)
  },
}
