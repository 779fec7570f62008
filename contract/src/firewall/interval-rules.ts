/**
 * Interval rules (`intervalRates` on the wire): the most requests in a number of seconds from one address to the URLs
 * that match.
 */
import { z } from 'zod'
import { BlockType, Priority } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'
import { edgeIntervalFields, intervalFields } from './interval-fields.ts'

export const IntervalRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  ...intervalFields,
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  blockType: BlockType.default(1),
  ...RuleMeta.shape,
})
export type IntervalRule = z.output<typeof IntervalRule>

export const EdgeIntervalRule = edgeRule({
  ...edgeIntervalFields,
  blockType: z.number().int().min(1).max(5),
})
export type EdgeIntervalRule = z.output<typeof EdgeIntervalRule>

export const intervalRules = orderedRuleList('intervalRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.intervalRate', many: 'site.firewall.l7.intervalRates' },
  paths: { one: 'firewall/l7/intervalRate', many: 'firewall/l7/intervalRates' },
  item: IntervalRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 200,
  noun: 'interval rule',
})
