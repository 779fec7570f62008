/**
 * What the lab edge is asked where a rule is tried on logged traffic. Batches of one run share buckets, so they go over
 * one connection: it leads to one worker, and the run is a table of that worker's.
 *
 *   POST /backtest       BacktestBatch → BacktestVerdicts
 *   POST /backtest/end   { run } → {}
 */
import { z } from 'zod'
import { Hash } from './artefact.ts'

/** The columns of a batch, in this order; what follows them is not read. `agent` is a number that stands for a user agent. */
export const backtestColumns = [
  'time',
  'node',
  'weight',
  'method',
  'host',
  'address',
  'path',
  'query',
  'status',
  'agent',
] as const

const numbers = z.array(z.number())
const texts = z.array(z.string())

export const BacktestBatch = z.object({
  /** A name that no other run has. */
  run: z.string(),
  /** Whether the run begins with this batch. One that goes on where it is not known is refused. */
  isFirst: z.boolean(),
  /** An artefact in `objects` with the rule in it, and the rule’s place: its list and its id. */
  artefact: Hash,
  guard: z.enum(['allowRules', 'denyRules', 'rateRules']),
  rule: z.number().int(),
  /** Rows by column, in the order of time. Columns, not rows: a table of Lua's for each row would cost more than its guards. */
  columns: z
    .tuple([numbers, numbers, numbers, texts, texts, texts, texts, texts, numbers, numbers])
    .rest(z.array(z.unknown())),
})
export type BacktestBatch = z.output<typeof BacktestBatch>

/** What the rule did with a request; a sum with `passed` where the visitor had passed a challenge. */
export const backtestCodes = {
  /** It said nothing: it does not speak of such requests, or another rule decided before it. */
  none: 0,
  /** It speaks of the request and lets it go. */
  matched: 1,
  block: 2,
  challenge: 3,
  passed: 4,
} as const

export const BacktestVerdicts = z.object({
  /** A digit for each row, as far as the batch came in its time. */
  codes: z.string().regex(/^[0-7]*$/),
  /** Rows that no verdict came of: a regular expression gave up. They are told as `none`. */
  failed: z.number().int(),
})
export type BacktestVerdicts = z.output<typeof BacktestVerdicts>
