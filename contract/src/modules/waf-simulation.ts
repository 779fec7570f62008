/**
 * What exceptions, another threshold or a lower paranoia level would do to the requests of the last 24 hours that the
 * WAF matched: log rows have every match, so their scores can be recomputed. Also the exception that is saved only if
 * the request that it is for passes with it.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Memo, MomentText } from '../fields.ts'
import { RowId } from '../logs/explorer.ts'
import { MadeIds } from '../paging.ts'
import { WafModule, WafModuleRule } from './waf.ts'

/** How many hours a simulation looks back. */
export const simulationHours = 24
/** The most rows that a simulation reads; if there are more, it reads the newest. */
export const simulationRowsMax = 100_000

const Rules = z.array(WafModuleRule).max(20, 'itemsExceedLimit')

/** An exception with a reason and an expiry time. */
const Exclusion = WafModuleRule.extend({
  memo: Memo.min(1, 'required'),
  expiresAt: z.iso.datetime({ offset: true }).describe('When it stops by itself.'),
})

const count = z.number().int()

const SimulatedRow = z.object({
  row: z.string().describe('The row of the log.'),
  time: MomentText,
  address: z.string(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  waf: z.string().describe('The rules that matched, as in the log.'),
  score: z.object({ before: count, after: count }),
  isAttack: z.boolean(),
  isPerson: z.boolean(),
})
export type SimulatedRow = z.output<typeof SimulatedRow>

/** Counts are of requests: each row by its weight. */
export const WafSimulation = z.object({
  from: MomentText,
  rows: count.describe('Rows that were read.'),
  isPartial: z.boolean().describe('Whether there are more rows; the newest were read.'),
  matched: count.describe('Requests that any rule matched.'),
  refused: count.describe('Of these, refused or challenged by the module as it is, were it enforced.'),
  touched: count.describe('Requests whose matches the change takes away from.'),
  passing: count.describe('Requests that would not be refused any more.'),
  refusedThen: count.describe('Requests that would be refused from then on, as a lower threshold does.'),
  addresses: count.describe('Different visitors of those that would pass.'),
  people: count.describe('Of those that would pass: from visitors who are probably people.'),
  attacks: count.describe('Of those that would pass: requests that look like attacks.'),
  unsure: count.describe('Requests of which the log does not hold every match.'),
  examples: z
    .array(SimulatedRow)
    .describe('Requests that would pass, those that look like attacks first; ten at most.'),
})
export type WafSimulation = z.output<typeof WafSimulation>

/** An exception that had no effect for this many days is reported as removable. */
export const idleDays = 7

const WafApplied = z.array(
  z.object({
    id: z.number().int(),
    appliedAt: MomentText.nullable().describe(
      'The last request that it took something from, or asked of no rule, in the days that the log keeps.',
    ),
    isIdle: z.boolean().describe('Whether there was none in 7 days, though it holds and the log reaches so far back.'),
  }),
)
export type WafApplied = z.output<typeof WafApplied>

const proofs = ['replay', 'log'] as const

export const wafSimulation = {
  simulate: endpoint('site.module.waf.simulate', 'POST', '/:tier/site/:siteId/module/waf/:moduleId/simulation', {
    can: 'logs.read',
    body: z.strictObject({
      rules: Rules.default([]).describe('Exceptions beside those that the module has.'),
      threshold: WafModule.shape.threshold.unwrap().optional(),
      paranoia: WafModule.shape.paranoia
        .unwrap()
        .optional()
        .describe('A lower level: what a higher one would match is not in the log.'),
    }),
    reply: WafSimulation,
    beyond: true,
    summary: 'Tries a change to a WAF module on the last 24 hours without saving it.',
  }),
  applied: endpoint('site.module.waf.applied', 'GET', '/:tier/site/:siteId/module/waf/:moduleId/exclusions', {
    can: 'logs.read',
    reply: WafApplied,
    beyond: true,
    summary: 'Returns when each exception of a WAF module last did something to a request, by the log.',
  }),
  exclude: endpoint('site.module.waf.exclude', 'POST', '/:tier/site/:siteId/module/waf/:moduleId/exclusions', {
    can: 'modules.write',
    body: z.strictObject({
      row: RowId.describe('The row of the log whose request shall pass.'),
      items: z.array(Exclusion).min(1, 'required').max(20, 'itemsExceedLimit'),
    }),
    reply: MadeIds.extend({
      provedBy: wordOf(
        'ExclusionProof',
        'replay: the request was asked anew with the exceptions. log: its body is not kept, so its matches were scored anew.',
        proofs,
      ),
    }),
    audit: true,
    beyond: true,
    summary: 'Adds exceptions for one logged request, which must pass with them.',
  }),
}
