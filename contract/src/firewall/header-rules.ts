/**
 * Header rules of a site (`antiHeaders` on the wire): requests with a header that nobody should send are refused or
 * challenged. A domain has such rules of its own (`firewall/anti-headers.ts`), which are evaluated first.
 */
import { z } from 'zod'
import { HeaderName } from '../fields.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { EdgeRegex, edgeRule } from './edge-rule-fields.ts'
import { RuleAction, ValueRegex } from './rule-action.ts'

export const HeaderRule = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  header: HeaderName,
  valueRegex: ValueRegex.default('').describe(
    'Matched against the value, which is empty where the header is absent. Left empty: whatever the header says.',
  ),
  blockType: RuleAction.default(0),
  ...RuleMeta.shape,
})
export type HeaderRule = z.output<typeof HeaderRule>

export const EdgeHeaderRule = edgeRule({
  /** Lower case. */
  header: HeaderName,
  /** Empty for any value of a header that is present. */
  valueRegex: EdgeRegex,
  /** 0 refuses; 1 to 5 challenge. */
  blockType: z.number().int().min(0).max(5),
})
export type EdgeHeaderRule = z.output<typeof EdgeHeaderRule>

export const headerRules = ruleList('headerRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.antiHeader', many: 'site.firewall.l7.antiHeaders' },
  paths: { one: 'firewall/l7/antiHeader', many: 'firewall/l7/antiHeaders' },
  item: HeaderRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'header rule',
})
