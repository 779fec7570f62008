/**
 * What the lab edge is sent to try a rule on logged traffic. Batches of one run share buckets, so they are sent over
 * one connection: it leads to one worker, which holds the state of the run.
 *
 *   POST /backtest       BacktestBatch → BacktestVerdicts
 *   POST /backtest/end   { run } → {}
 */
import { z } from 'zod'
import { triedKindNames } from '../firewall/kinds.ts'
import { Hash } from '../hash.ts'

/**
 * The columns of a batch, in this order; further ones are ignored. `agent` is a number that stands for a user agent. If
 * no rule of the site looks at headers, the header columns are ''.
 */
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
  'country',
  'userAgent',
  'referer',
  'asn',
  'bot',
] as const

const numbers = z.array(z.number())
const texts = z.array(z.string())

export const BacktestBatch = z.object({
  /** A name unique to the run. */
  run: z.string(),
  /** Whether the run begins with this batch. A later batch of an unknown run is rejected. */
  isFirst: z.boolean(),
  /** An artefact in `objects` that contains the rule, and the rule’s place: its list and its id. */
  artefact: Hash,
  guard: z.enum([...triedKindNames, 'luaAcls']),
  rule: z.number().int(),
  /**
   * An artefact in `objects` with that rule alone: what the rule does with a request that another rule decides first.
   */
  alone: Hash.optional(),
  /** The current reputation of the rows' addresses, for those that have one. */
  scores: z.record(z.string(), z.number()).optional(),
  /** Rows by column, in time order. Columns, not rows: a Lua table for each row would cost more than its guards. */
  columns: z
    .tuple([
      numbers,
      numbers,
      numbers,
      texts,
      texts,
      texts,
      texts,
      texts,
      numbers,
      numbers,
      texts,
      texts,
      texts,
      numbers,
      texts,
    ])
    .rest(z.array(z.unknown())),
})
export type BacktestBatch = z.output<typeof BacktestBatch>

/** What the rule did with a request; `passed` is added if the visitor had passed a challenge. */
export const backtestCodes = {
  /** It does not match the request. */
  none: 0,
  /** It matches the request and lets it pass. */
  matched: 1,
  block: 2,
  challenge: 3,
  passed: 4,
  /** It matches the request, but another rule decided first. */
  earlier: 8,
} as const

/** What decided before the rule, in requests: rows by their weight. */
const Earlier = z.object({ guard: z.string(), rule: z.number().int(), isAllowed: z.boolean(), requests: z.number() })

export const BacktestVerdicts = z.object({
  /** A digit for each row, as far as the batch got before time ran out. */
  codes: z.string().regex(/^[0-8]*$/),
  /** Rows without a verdict, because a regular expression gave up. They are reported as `none`. */
  failed: z.number().int(),
  /** What decided the rows reported as `earlier`. */
  earlier: z.record(z.string(), Earlier),
})
export type BacktestVerdicts = z.output<typeof BacktestVerdicts>
