/**
 * WAF modules: the score from which the rules of the Core Rule Set refuse a request, and what applies to single rules
 * at some URLs or values, which is also how false positives are excluded.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Memo, MethodValues, methods, Name, Priority, QueryId, RuleMode } from '../fields.ts'
import { RuleAction } from '../firewall/rule-action.ts'
import { pageOf } from '../paging.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { ModuleInput, moduleFamily } from './module-family.ts'

export const wafRuleActions = ['off', 'observe', 'enforce'] as const
const WafRuleAction = wordOf(
  'WafRuleAction',
  'off: what the rule matches there counts nothing and is not logged. observe: it is logged and adds nothing. enforce: it alone refuses.',
  wafRuleActions,
)
export const wafResponses = ['off', 'observe', 'enforce'] as const
export const overBudgets = ['block', 'pass'] as const

export const WafModule = ModuleInput.extend({
  enabled: z.boolean().default(true).describe('Whether requests of the bound domains are asked about at all.'),
  mode: RuleMode.default('observe'),
  blockType: RuleAction.default(0),
  paranoia: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(4, 'number')
    .default(1)
    .describe('The level up to which rules are asked: 1 disturbs nearly nobody, 4 almost everybody who writes text.'),
  threshold: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(1000, 'number')
    .default(5)
    .describe('The score from which on a request is refused; one critical rule scores 5.'),
  overBudget: wordOf(
    'OverBudget',
    'What becomes of a request that cannot be looked at whole: a body over 128 KB, over 1,000 values, one that is compressed or does not parse, no time left.',
    overBudgets,
  ).default('block'),
  responses: wordOf(
    'WafResponses',
    'Whether answers of origins are asked about, too: text, JSON and XML up to 512 KB. enforce holds back their first 64 KB and refuses what leaks; observe holds nothing. A module that only observes only observes answers.',
    wafResponses,
  ).default('off'),
})
export type WafModule = z.output<typeof WafModule>

export const WafModuleRule = z.strictObject({
  ruleID: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(9_999_999, 'number')
    .describe('A rule of the set; 0 for all of them.'),
  name: Name,
  urlRegex: UrlRegex.or(z.literal('')).default('').describe('Matched against the canonical path; empty for every URL.'),
  methodValues: MethodValues.default([...methods]),
  target: z
    .string()
    .regex(/^(?:(?:arg|cookie|header|file):[\x21-\x7e]{1,128})?$/, 'wrongFormat')
    .default('')
    .describe('One value alone: `arg:comment`, `cookie:session`, `header:referer`, `file:upload`; empty for all.'),
  action: WafRuleAction.default('off'),
  blockType: RuleAction.default(0),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  expiresAt: z.iso
    .datetime({ offset: true })
    .nullable()
    .default(null)
    .describe('When it stops by itself; null for never.'),
  memo: Memo.default('').describe('Why it holds.'),
  enabled: z.boolean().default(true),
})
export type WafModuleRule = z.output<typeof WafModuleRule>

const family = moduleFamily('waf', {
  one: 'waf',
  many: 'wafs',
  body: WafModule,
  items: { one: 'rule', many: 'rules' },
  item: WafModuleRule,
  max: 500,
  noun: 'WAF module',
  itemNoun: 'WAF rule',
})

const DefaultRule = z.object({
  id: z.number().int().describe('As in logs and in the rules of modules.'),
  name: z.string(),
  category: z.string(),
  description: z.string(),
  action: WafRuleAction,
  level: z.number().int().describe('The paranoia level from which on it is asked.'),
})

export const waf = {
  ...family,
  calls: {
    ...family.calls,
    ruleSet: endpoint('site.module.wafs.ruleSet', 'GET', '/:tier/site/:siteId/module/wafs/ruleSet', {
      tiers: ['user', 'client'],
      can: 'modules.read',
      beyond: true,
      reply: z.object({
        name: z.string().describe('The source and its version.'),
        isDefault: z.boolean().describe('Whether it is the installation’s own, and none that the operator chose.'),
        rules: z.number().int(),
      }),
      summary: 'Returns the rule set in use for a site: that of the zone that serves it.',
    }),
    defaultRules: endpoint('waf.defaultRules', 'GET', '/:tier/module/wafs/defaultRules', {
      can: 'modules.read',
      query: z.strictObject({ siteID: QueryId.optional().describe('Of the rule set that decides for this site.') }),
      reply: pageOf(DefaultRule),
      kind: 'list',
      summary: 'Lists the Core Rule Set rules that nodes check, of all paranoia levels.',
    }),
  },
}
