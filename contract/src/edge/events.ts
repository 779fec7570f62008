/** What a node tells of its traffic: exact counters, and one row a request. */
import { z } from 'zod'

/** Characters of a path that a row has at most. */
export const longPath = 1024

/**
 * One request. nginx writes it as one line (`row-lines.ts`); the ClickHouse table `requests_raw_v1` has columns of the
 * same names, so that a batch passes through unparsed. Nodes of before send JSON with these keys.
 */
export const RequestRow = z.object({
  /** Epoch seconds with milliseconds. */
  time: z.number(),
  node: z.number().int(),
  zone: z.number().int(),
  site: z.number().int(),
  revision: z.number().int(),
  requestId: z.string(),
  domain: z.string(),
  /** The client address as `clients/client-address.ts` decided it. */
  address: z.string(),
  /** ISO 3166-1 alpha-2, `ZZ` where unknown. */
  country: z.string(),
  /** The number of the client's network (autonomous system); 0 where no data knows it. Nodes of before say nothing. */
  asn: z.number().int().optional(),
  /** The verified bot that the client is, as the zone names it; '' for none. Nodes of before say nothing. */
  bot: z.string().optional(),
  method: z.string(),
  scheme: z.string(),
  /** `1.0`, `1.1`, `2` or `3`. */
  httpVersion: z.string(),
  path: z.string(),
  query: z.string(),
  /** What the visitor got. */
  status: z.number().int(),
  /** The product's own code where the edge decided (444, 903, 904, 929, 978), else 0. */
  cause: z.number().int(),
  /** The guard and rule that decided or observed; '' and 0 without one. */
  guard: z.string(),
  rule: z.number().int(),
  /** pass · block · challenge · observe */
  action: z.string(),
  /** What the WAF's rules came to; 0 where none matched. Nodes of before say nothing. */
  wafScore: z.number().int().optional(),
  /** The rules of the WAF that matched, apart by spaces, each `rule:score:where`, and behind them the exceptions that did something (`waf-words.ts`); '' for none. */
  waf: z.string().optional(),
  /** What the rule set in shadow made of the request (`contract/edge/waf-shadow.ts`); '' where it was not asked. Nodes of before say nothing. */
  wafShadow: z.string().optional(),
  /** HIT · MISS · EXPIRED · STALE · REVALIDATED · UPDATING · BYPASS · DIRECT, '' where no cache was asked. */
  cache: z.string(),
  /** cached · direct · refused */
  route: z.string(),
  bytesSent: z.number().int(),
  bytesReceived: z.number().int(),
  /** Milliseconds. */
  requestTime: z.number(),
  /** Milliseconds; 0 where no origin was asked. */
  originTime: z.number(),
  originAddress: z.string(),
  /** 0 where no origin was asked. */
  originStatus: z.number().int(),
  /** Why no origin answered (`origin-failures.ts`); '' where one did or none was asked. Nodes of before say nothing. */
  originFailure: z.string().optional(),
  referer: z.string(),
  userAgent: z.string(),
  contentType: z.string(),
  /** How many requests this row stands for: 1 unless rows were sampled. */
  weight: z.number().int(),
})
export type RequestRow = z.output<typeof RequestRow>

/**
 * What was added to the exact sums of one minute of one site on one node; never sampled, never dropped. A node tells it
 * every few seconds, each time only what is new: the sums of all batches are the minute's.
 */
export const CounterRow = z.object({
  /** Epoch seconds at the minute's start. */
  minute: z.number().int(),
  node: z.number().int(),
  zone: z.number().int(),
  site: z.number().int(),
  status: z.number().int(),
  cause: z.number().int(),
  cache: z.string(),
  /** As in the request's row; '' from nodes of before. */
  action: z.string().default(''),
  requests: z.number().int(),
  bytesSent: z.number().int(),
  bytesReceived: z.number().int(),
  /** Requests of these that asked an origin. */
  originRequests: z.number().int(),
})
export type CounterRow = z.output<typeof CounterRow>

/** The identity of a batch, in request headers. The same identity twice is stored once. */
export const eventHeaders = {
  kind: 'x-breakwater-kind',
  boot: 'x-breakwater-boot',
  sequence: 'x-breakwater-sequence',
  rows: 'x-breakwater-rows',
} as const
export const EventBatch = z.object({
  kind: z.enum(['requests', 'counters']),
  /** Random, new at each start of the agent's spool. */
  boot: z.string().regex(/^[0-9a-f]{16}$/),
  sequence: z.number().int().positive(),
  rows: z.number().int().nonnegative(),
  /** Lines as `row-lines.ts` has them; NDJSON where it is not said. */
  form: z.literal('lines').optional(),
})
export type EventBatch = z.output<typeof EventBatch>
/** Rows of sites that the node does not serve are refused with the batch (403), and it is logged. */
export const EventReceipt = z.object({ stored: z.boolean(), duplicate: z.boolean() })
/** A batch's body is NDJSON or lines of rows, by its content type, compressed with zstd or gzip, at most this many bytes unpacked. */
export const batchBytesMax = 16_000_000
