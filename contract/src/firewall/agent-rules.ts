/** Agent rules (`userAgents` on the wire): clients that are refused or challenged because of their User-Agent. */
import { z } from 'zod'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { EdgeRegex, edgeRule } from './edge-rule-fields.ts'
import { RuleAction } from './rule-action.ts'

export const AgentRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  userAgentRegex: UrlRegex.describe('Matched against the User-Agent, which is empty where none is sent.'),
  blockType: RuleAction.default(0),
  ...RuleMeta.shape,
})
export type AgentRule = z.output<typeof AgentRule>

export const EdgeAgentRule = edgeRule({
  userAgentRegex: EdgeRegex,
  /** 0 refuses; 1 to 5 challenge. */
  blockType: z.number().int().min(0).max(5),
})
export type EdgeAgentRule = z.output<typeof EdgeAgentRule>

export const agentRules = ruleList('agentRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.userAgent', many: 'site.firewall.l7.userAgents' },
  paths: { one: 'firewall/l7/userAgent', many: 'firewall/l7/userAgents' },
  item: AgentRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 200,
  noun: 'agent rule',
})
