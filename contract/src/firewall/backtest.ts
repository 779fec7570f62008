/** The back-test: what a rule would have done with the traffic of the last hours, before it is saved. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MomentText } from '../fields.ts'
import { BodyRule } from './body-rules.ts'
import { IpRule } from './ip-rules.ts'
import { RateRule } from './rate-rules.ts'

/**
 * About the most rows that one back-test reads. Where there are more, it reads the same part of every five minutes, whole:
 * a rate rule judges requests that follow each other, and would take rows picked one by one for other visitors.
 */
export const backtestRowsMax = 1_000_000
/** Seconds after which it answers with what it has seen. */
export const backtestSecondsMax = 30

const items = { rateRules: RateRule, denyRules: IpRule, allowRules: IpRule, bodyRules: BodyRule }
export type BacktestKind = Exclude<keyof typeof items, 'bodyRules'>
export type TriedRule = { kind: 'rateRules'; rule: RateRule } | { kind: 'denyRules' | 'allowRules'; rule: IpRule }

const Body = z
  .strictObject({
    kind: z.enum(['rateRules', 'denyRules', 'allowRules', 'bodyRules']),
    rule: z.record(z.string(), z.unknown()).describe('The rule as it would be saved.'),
    id: z.number().int().positive().optional().describe('The rule that it would replace.'),
    hours: z.number().int('number').min(1, 'number').max(24, 'number').default(24),
  })
  .transform(({ kind, rule, id, hours }, context) => {
    // What is wrong with the rule is said of the same fields as when it is saved: one form, one place for each message.
    const parsed = z.strictObject(items[kind].shape).safeParse(rule, { reportInput: true })
    for (const issue of parsed.error?.issues ?? []) {
      context.issues.push({ ...issue, input: issue.input } as z.core.$ZodRawIssue)
    }
    if (parsed.success && kind === 'bodyRules')
      context.issues.push({ code: 'custom', path: ['kind'], message: 'bodiesNotLogged', input: kind })
    return { ...({ kind, rule: parsed.data } as TriedRule), id, hours }
  })

const count = z.number().int()
const Top = z.array(z.object({ name: z.string(), requests: count }))

export const BacktestExample = z.object({
  time: MomentText,
  address: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  /** What became of the request then. */
  status: count,
  action: z.string(),
  /** What the rule would make of it. */
  would: z.enum(['pass', 'block', 'challenge']),
})

/**
 * Counts are of requests: each row by its weight. The rule is tried as if it were enabled and enforced, at its place in
 * the order of battle among the site's present rules. An allow rule acts by letting go, the others by refusing.
 */
export const Backtest = z.object({
  from: MomentText,
  /** Until when rows were looked at: earlier than now where time ran out. */
  to: MomentText,
  requests: count,
  sampled: z.object({
    isSampled: z.boolean(),
    /** One part in so many of every five minutes was read, and counts for all of them. */
    oneIn: count,
    rows: count.describe('Rows that were read.'),
    of: count.describe('Rows that there are.'),
  }),
  /** Whether it ended before it had seen all that it meant to see. */
  isPartial: z.boolean(),
  /** Requests that the rule speaks of and that no rule before it decided. */
  matched: count,
  would: z.object({ block: count, challenge: count }),
  /** Different addresses that the rule acts on, and those with most requests. */
  addresses: count,
  topAddresses: Top,
  topPaths: Top,
  /** Requests that the rule acts on and that had been refused then, by whichever rule. */
  alreadyRefused: count,
  /** Requests that the rule refuses although their visitor had passed a challenge in the half hour before. */
  passedChallenge: count,
  /** Requests that it could not be tried on: a regular expression gave up. */
  failed: count,
  series: z.array(z.object({ time: MomentText, requests: count, matched: count, refused: count })),
  /** Requests that the rule acts on, of different addresses. */
  examples: z.array(BacktestExample),
  /** Milliseconds. */
  took: count,
})
export type Backtest = z.output<typeof Backtest>

export const backtest = {
  run: endpoint('site.firewall.backtest', 'POST', '/:tier/site/:siteId/firewall/backtest', {
    can: 'firewall.read',
    body: Body,
    reply: Backtest,
    beyond: true,
    summary: 'Tries a rule on the traffic of the last hours before it is saved. Saves nothing.',
  }),
}
