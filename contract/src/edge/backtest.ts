/**
 * What the lab edge is asked where a rule is tried on logged traffic. Batches of one run share buckets, so they go over
 * one connection: it leads to one worker, and the run is a table of that worker's.
 *
 *   POST /backtest       BacktestBatch → BacktestVerdicts
 *   POST /backtest/end   { run } → {}
 */
import { z } from 'zod'
import { triedKindNames } from '../firewall/kinds.ts'
import { Hash } from '../hash.ts'

/** The columns of a batch, in this order; what follows them is not read. `agent` is a number that stands for a user agent; where no rule of the site looks at headers, they are ''. */
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
  /** A name that no other run has. */
  run: z.string(),
  /** Whether the run begins with this batch. One that goes on where it is not known is refused. */
  isFirst: z.boolean(),
  /** An artefact in `objects` with the rule in it, and the rule’s place: its list and its id. */
  artefact: Hash,
  guard: z.enum([...triedKindNames, 'luaAcls']),
  rule: z.number().int(),
  /** An artefact in `objects` with that rule alone: what the rule says of a request that another decides before it. */
  alone: Hash.optional(),
  /** The reputation of the rows' addresses as it is now, as far as they have one. */
  scores: z.record(z.string(), z.number()).optional(),
  /** Rows by column, in the order of time. Columns, not rows: a table of Lua's for each row would cost more than its guards. */
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

/** What the rule did with a request; a sum with `passed` where the visitor had passed a challenge. */
export const backtestCodes = {
  /** It said nothing: it does not speak of such requests. */
  none: 0,
  /** It speaks of the request and lets it go. */
  matched: 1,
  block: 2,
  challenge: 3,
  passed: 4,
  /** It speaks of the request, but another rule decided before it. */
  earlier: 8,
} as const

/** What decided before the rule, in requests: rows by their weight. */
const Earlier = z.object({ guard: z.string(), rule: z.number().int(), isAllowed: z.boolean(), requests: z.number() })

export const BacktestVerdicts = z.object({
  /** A digit for each row, as far as the batch came in its time. */
  codes: z.string().regex(/^[0-8]*$/),
  /** Rows that no verdict came of: a regular expression gave up. They are told as `none`. */
  failed: z.number().int(),
  /** Who decided about the rows told as `earlier`. */
  earlier: z.record(z.string(), Earlier),
})
export type BacktestVerdicts = z.output<typeof BacktestVerdicts>
