/** Counts of WAF matches: by rule, and by rule, page and value, which is what an exception covers. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { RowId } from '../logs/explorer.ts'
import { StatisticsFilter, statisticsScope } from './statistics.ts'

const counts = {
  requests: z.number().int(),
  blocked: z.number().int().describe('Of these, refused or challenged by the WAF.'),
  addresses: z.number().int().describe('Different visitors; approximate beyond some thousands.'),
}
const named = {
  ruleID: z.number().int(),
  name: z.string().describe('What the rule is about; empty where the rule set has none of that number any more.'),
}
const WafRuleCount = z.object({ ...named, ...counts })
export type WafRuleCount = z.output<typeof WafRuleCount>

const WafMatchCount = z.object({
  ...named,
  siteID: z.number().int(),
  domainName: z.string(),
  path: z.string(),
  target: z.string().describe('The value that the rule matched: `ARGS:id`.'),
  ...counts,
  people: z
    .number()
    .int()
    .describe(
      'Of the visitors, those who are probably people: they passed a challenge, or the origin took with success what was only observed, and nothing else of theirs looks like an attack.',
    ),
  attackers: z
    .number()
    .int()
    .describe('Of the visitors, those who look like attackers: a scanner, many rules or pages, or banned already.'),
  row: RowId.describe('The newest such row.'),
})
export type WafMatchCount = z.output<typeof WafMatchCount>

export const wafStatistics = {
  matches: endpoint('stat.waf', 'POST', '/:tier/statistics/waf', {
    can: 'statistics.read',
    body: z
      .strictObject({
        ...statisticsScope,
        filter: StatisticsFilter.prefault({}),
        top: z.number().int().min(1).max(100).default(20),
      })
      .refine((body) => body.startTime < body.endTime, { path: ['endTime'], message: 'wrongFormat' }),
    reply: z.object({
      matched: z.number().int().describe('Requests that any rule matched.'),
      blocked: z.number().int(),
      rules: z.array(WafRuleCount),
      matches: z.array(WafMatchCount),
    }),
    beyond: true,
    summary: 'Counts what the WAF matched: by rule, and by rule, page and value.',
  }),
}
