/** What a node reports about its traffic: exact counters, and one row per request. */
import { z } from 'zod'

/** The most bytes of a path, of a query, and of the headers User-Agent and Referer in a row. */
export const longPath = 1024
export const longQuery = 1024
export const longHeader = 512

/**
 * One request. nginx writes it as one line (`row-lines.ts`); the ClickHouse table `requests_raw_v1` has columns of the
 * same names, so a batch passes through unparsed. Older nodes send JSON with these keys.
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
  /** The number of the client's network (autonomous system); 0 if unknown. Absent from older nodes. */
  asn: z.number().int().optional(),
  /** The verified bot that the client is, as the zone names it; '' for none. Absent from older nodes. */
  bot: z.string().optional(),
  method: z.string(),
  scheme: z.string(),
  /** `1.0`, `1.1`, `2` or `3`. */
  httpVersion: z.string(),
  path: z.string(),
  query: z.string(),
  /** What the visitor got. */
  status: z.number().int(),
  /** The product's own code if the edge decided (444, 903, 904, 929, 978), else 0. */
  cause: z.number().int(),
  /** The guard and rule that decided or observed; '' and 0 without one. */
  guard: z.string(),
  rule: z.number().int(),
  /** pass · block · challenge · observe */
  action: z.string(),
  /** The score from the WAF's rules; 0 if none matched. Absent from older nodes. */
  wafScore: z.number().int().optional(),
  /**
   * The WAF rules that matched, separated by spaces, each `rule:score:where`, followed by the exceptions that took
   * effect (`waf-words.ts`); '' for none.
   */
  waf: z.string().optional(),
  /**
   * What the shadow rule set made of the request (`contract/edge/waf-shadow.ts`); '' if it was not evaluated. Absent
   * from older nodes.
   */
  wafShadow: z.string().optional(),
  /** HIT · MISS · EXPIRED · STALE · REVALIDATED · UPDATING · BYPASS · DIRECT, '' if no cache was used. */
  cache: z.string(),
  /** cached · direct · refused */
  route: z.string(),
  bytesSent: z.number().int(),
  bytesReceived: z.number().int(),
  /** Milliseconds. */
  requestTime: z.number(),
  /** Milliseconds; 0 if the request was not sent to an origin. */
  originTime: z.number(),
  originAddress: z.string(),
  /** 0 if the request was not sent to an origin. */
  originStatus: z.number().int(),
  /** Why no origin responded (`origin-failures.ts`); '' if one did or none was contacted. Absent from older nodes. */
  originFailure: z.string().optional(),
  referer: z.string(),
  userAgent: z.string(),
  contentType: z.string(),
  /** How many requests this row stands for: 1 unless rows were sampled. */
  weight: z.number().int(),
})
export type RequestRow = z.output<typeof RequestRow>

/**
 * What was added to the exact sums of one minute of one site on one node; never sampled, never dropped. A node reports
 * it every few seconds, each time only what is new: the minute's sums are the sums of all batches.
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
  /** As in the request's row; '' from older nodes. */
  action: z.string().default(''),
  requests: z.number().int(),
  bytesSent: z.number().int(),
  bytesReceived: z.number().int(),
  /** How many of these requests were sent to an origin. */
  originRequests: z.number().int(),
})
export type CounterRow = z.output<typeof CounterRow>

/** The identity of a batch, in request headers. Batches with the same identity are stored once. */
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
  /** Lines in the format of `row-lines.ts`; NDJSON if absent. */
  form: z.literal('lines').optional(),
})
export type EventBatch = z.output<typeof EventBatch>
/** A batch with rows of sites that the node does not serve is rejected (403), and that is logged. */
export const EventReceipt = z.object({ stored: z.boolean(), duplicate: z.boolean() })
/**
 * The body of a batch is rows as NDJSON or lines, by its content type, compressed with zstd or gzip, at most this many
 * bytes unpacked.
 */
export const batchBytesMax = 16_000_000
