/** Agent rules: refuse or challenge clients by their User-Agent. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Regex, Tools, Verdict } from '../lib/guard.ts'
import { firstVerdictOf } from './first-verdict.ts'
import { applies, type Condition, condition, refusedOrChallenged } from './rule.ts'

type AgentRule = { when: Condition; agent: Regex; blockType: number }

/** `any` tests at once whether any rule may match a User-Agent: with many rules, most clients match none. */
type AgentRules = { all: AgentRule[]; any: Regex | undefined }

/** With fewer rules, testing each one is as fast. */
const manyAgents = 3

function judged(this: void, rule: AgentRule, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (!applies(rule.when, request, tools)) return undefined
  if (!tools.matches(rule.agent, tools.header('user-agent') ?? '')) return undefined
  const verdict = refusedOrChallenged('agentRules', rule.when, rule.blockType, causes.accessRule, request, tools)
  return verdict
}

const { first: firstRule, ready } = firstVerdictOf(judged)

export const agentRules: Guard<AgentRules, 'firewall'> = {
  name: 'agentRules',
  takes: 'firewall',
  phase: 'headers',
  compile(firewall, tools) {
    const rules = firewall.agentRules
    if (rules === undefined || rules.length === 0) return undefined
    return {
      all: ready(
        rules.map((rule) => ({
          when: condition(rule, tools),
          agent: tools.regex(rule.userAgentRegex),
          blockType: rule.blockType,
        })),
      ),
      any: rules.length >= manyAgents ? tools.anyOf(rules.map(({ userAgentRegex }) => userAgentRegex)) : undefined,
    }
  },
  check({ all, any }, request, tools) {
    if (request.path === answerPath) return undefined
    if (any !== undefined && !tools.mayMatch(any, tools.header('user-agent') ?? '')) return undefined
    return firstRule(all, request, tools)
  },
}
