/**
 * Rate rules (`secondRates` on the wire): at most `rate` requests per second, plus a `burst`, from one address to the
 * URLs that match.
 */
import { z } from 'zod'
import { BlockType, Priority, StoredBlockType } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'

export const RateRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  rate: z.number().int('number').min(1, 'number').max(1_000_000, 'number').describe('Requests a second.'),
  burst: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(1_000_000, 'number')
    .describe('Requests above the rate before the rule acts.'),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  blockType: BlockType.or(StoredBlockType).default(1),
  ...RuleMeta.shape,
})
export type RateRule = z.output<typeof RateRule>

/** Where a new rule differs: legacy numbers of protection modes are kept, but not accepted for new rules. */
export const NewRateRule = { blockType: BlockType.default(1) }

export const EdgeRateRule = edgeRule({
  rate: z.number().positive().max(1_000_000),
  burst: z.number().nonnegative().max(1_000_000),
  blockType: z.number().int().min(1).max(5),
})
export type EdgeRateRule = z.output<typeof EdgeRateRule>

export const rateRules = orderedRuleList('rateRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.secondRate', many: 'site.firewall.l7.secondRates' },
  paths: { one: 'firewall/l7/secondRate', many: 'firewall/l7/secondRates' },
  item: RateRule,
  created: NewRateRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 200,
  noun: 'rate rule',
})
