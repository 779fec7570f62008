/**
 * Common to rules that count: at most so many requests in so many seconds from one address, counted exactly per node,
 * starting with the first request. Clients that exceed a rule are challenged; those that passed the challenge may send
 * up to ten times as much, and are refused beyond that.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { GuardName } from '@breakwater/contract/edge/guards.ts'
import { passedFactor } from '@breakwater/contract/edge/passed-challenge.ts'
import type { EdgeIntervalRule } from '@breakwater/contract/firewall/interval-rules.ts'
import type { Ban, CompileTools, EdgeRequest, Tools, Verdict } from '../lib/guard.ts'
import { applies, type Condition, challenged, condition, enforced } from './rule.ts'

export type CountedRule = {
  guard: GuardName
  when: Condition
  /** The key under which it counts: no other rule of the site uses it. */
  key: string
  seconds: number
  times: number
  blockType: number
  /** The ban for leaving its challenges unsolved; absent if there is none. */
  ban: Ban | undefined
}

/** `banSeconds`: how long the rule bans, if it does. */
export function countedRule(
  guard: GuardName,
  key: string,
  rule: EdgeIntervalRule,
  banSeconds: number | undefined,
  tools: CompileTools,
): CountedRule {
  return {
    guard,
    when: condition(rule, tools),
    key,
    seconds: rule.seconds,
    times: rule.times,
    blockType: rule.blockType,
    ban: banSeconds === undefined ? undefined : { key, within: rule.seconds, seconds: banSeconds },
  }
}

/** Handles an address that exceeded a rule. Separate, so that the code for every request stays small for LuaJIT. */
function exceeded(rule: CountedRule, counted: number, request: EdgeRequest, tools: Tools): Verdict | undefined {
  let verdict = challenged(rule.guard, rule.when.id, rule.blockType)
  verdict.ban = rule.ban
  if (tools.hasPassed(request, rule.blockType)) {
    if (rule.ban !== undefined) tools.solved(request.site, rule.ban, request.addressBytes)
    if (counted <= rule.times * passedFactor) return undefined
    verdict = { ...verdict, action: 'block', cause: causes.rateLimit, status: 429, blockType: 0 }
  }
  return enforced(rule.when, request, verdict)
}

export function judgeCounted(this: void, rule: CountedRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  const counted = tools.count(request.site, rule.key, request.addressBytes, rule.seconds)
  if (counted <= rule.times) return undefined
  return exceeded(rule, counted, request, tools)
}
