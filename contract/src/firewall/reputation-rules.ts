/** IP trust protection (`abuseIPs` on the wire): visitors whose address has a bad reputation are challenged. */
import { z } from 'zod'
import { BlockType } from '../fields.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'
import { Score } from './reputation-score.ts'

export const ReputationRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  score: Score.default(50).describe(
    'Addresses with at least this score are challenged. Scores come from the list of the operator and from the bans of its nodes; an address without one is not.',
  ),
  blockType: BlockType.default(1),
  ...RuleMeta.shape,
})
export type ReputationRule = z.output<typeof ReputationRule>

export const EdgeReputationRule = edgeRule({
  score: z.number().int().min(1).max(100),
  blockType: z.number().int().min(1).max(5),
})
export type EdgeReputationRule = z.output<typeof EdgeReputationRule>

export const reputationRules = ruleList('reputationRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.abuseIP', many: 'site.firewall.l7.abuseIPs' },
  paths: { one: 'firewall/l7/abuseIP', many: 'firewall/l7/abuseIPs' },
  item: ReputationRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 20,
  noun: 'reputation rule',
})
