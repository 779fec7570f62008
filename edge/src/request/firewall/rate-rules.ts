/**
 * Rate rules: at most `rate` requests per second, plus `burst`, from one address to the URLs that match. Clients that
 * exceed a rule are challenged; those that passed the challenge may send up to ten times as much, and are refused
 * beyond that.
 */

import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import { passedFactor } from '@breakwater/contract/edge/passed-challenge.ts'
import type { EdgeRateRule } from '@breakwater/contract/firewall/rate-rules.ts'
import type { EdgeRequest, Guard, Regex, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, type Condition, challenged, condition, enforced } from './rule.ts'

export type RateRule = { when: Condition; key: string; rate: number; burst: number; blockType: number }

/** `withUrl` tests at once whether any rule with a URL may match: with many rules, most requests match none. */
type RateRules = { all: RateRule[]; everywhere: RateRule[]; withUrl: Regex | undefined }

/** With fewer rules, testing each one is as fast. */
const manyUrls = 3

function compiled(rule: EdgeRateRule, when: Condition): RateRule {
  if (rule.rate <= 0) throw new Error(`rate rule ${rule.id} has no rate`)
  return { when, key: `${rule.id}`, rate: rule.rate, burst: rule.burst, blockType: rule.blockType }
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const rateRules: Guard<RateRules, 'firewall'> = {
  name: 'rateRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.rateRules
    if (rules === undefined || rules.length === 0) return undefined
    const all = ready(rules.map((rule) => compiled(rule, condition(rule, tools))))
    const urls = rules.map(({ urlRegex }) => urlRegex).filter((url) => url !== '')
    return {
      all,
      everywhere: ready(all.filter(({ when }) => when.url === undefined)),
      withUrl: urls.length >= manyUrls ? tools.anyOf(urls) : undefined,
    }
  },
  check({ all, everywhere, withUrl }, request, tools) {
    // A client that answers a challenge was just stopped by such a rule.
    if (request.path === answerPath) return undefined
    const mayMatch = withUrl === undefined || request.otherPaths !== undefined || tools.mayMatch(withUrl, request.path)
    const rules = mayMatch ? all : everywhere
    return firstRule(rules, request, tools)
  },
}

/** Checks one rule for a request, and takes from the client's bucket if the rule applies. */
function judged(this: void, rule: RateRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  const bytes = request.addressBytes
  if (tools.take(request.site, rule.key, bytes, rule.rate, rule.burst)) return undefined
  let verdict = challenged('rateRules', rule.when.id, rule.blockType)
  if (tools.hasPassed(request, rule.blockType)) {
    const [rate, burst] = [rule.rate * passedFactor, (rule.rate + rule.burst) * passedFactor]
    if (tools.take(request.site, `${rule.key}+`, bytes, rate, burst)) return undefined
    verdict = { ...verdict, action: 'block', cause: causes.rateLimit, status: 429, blockType: 0 }
  }
  return enforced(rule.when, request, verdict)
}
