/** The access log: pages, the live stream, and Explain. */
import { z } from 'zod'
import { ZoneBanCauseWord } from '../bans/zone-ban-cause.ts'
import { Explanation } from '../edge/explain.ts'
import { originFailures } from '../edge/origin-failures.ts'
import { endpoint } from '../endpoint.ts'
import { Moment, MomentText, SortOrder } from '../fields.ts'
import { pageOf, pageSizeMax } from '../paging.ts'
import { LogFilter } from './filter.ts'

/** `total` stops counting here, and `isCapped` is set. */
export const logTotalMax = 10_000

export const AccessLogRow = z.object({
  /** Identifies the row for good: links to it contain it. */
  id: z.string(),
  time: MomentText,
  siteID: z.number().int(),
  domainName: z.string(),
  clientIP: z.string(),
  country: z.string(),
  asn: z.number().int().describe('The number of the client’s network (autonomous system); 0 where no data knows it.'),
  network: z.string().describe('What the data calls that network; empty where it does not.'),
  bot: z.string().describe('The verified bot that the client is, as the zone names it; empty for none.'),
  method: z.string(),
  scheme: z.string(),
  httpVersion: z.string(),
  url: z.string(),
  status: z.number().int(),
  cause: z.number().int(),
  action: z.string(),
  guard: z.string(),
  rule: z.number().int(),
  wafScore: z.number().int().describe('What the rules of the WAF came to.'),
  waf: z
    .string()
    .describe(
      'The rules of the WAF that matched, apart by spaces, each `rule:score:where`; what could not be looked at is `budget:why`.',
    ),
  revision: z.number().int(),
  cache: z.string(),
  route: z.string(),
  traffic: z.number().int().describe('Bytes sent.'),
  bytesReceived: z.number().int(),
  /** Milliseconds. */
  requestTime: z.number(),
  originTime: z.number(),
  originAddress: z.string(),
  originStatus: z.number().int(),
  originFailure: z
    .string()
    .describe(`Why no origin answered: ${originFailures.join(', ')}; empty where one did or none was asked.`),
  userAgent: z.string(),
  referer: z.string(),
  contentType: z.string(),
  reqID: z.string(),
  node: z.string(),
  weight: z.number().int(),
})
export type AccessLogRow = z.output<typeof AccessLogRow>

export const Before = z.object({
  requests: z
    .object({ count: z.number().int(), seconds: z.number(), limit: z.number() })
    .nullable()
    .describe(
      'Logged requests of the address to the site, whatever their path, within the seconds that the rule counts, this one included; and how many pass the rule in that time.',
    ),
  ban: z
    .object({
      since: MomentText,
      until: MomentText,
      guard: z.string(),
      rule: z.number().int(),
      reference: z.string().describe('Of the request that led to the ban.'),
    })
    .nullable()
    .describe('The ban of the address; null where it is not kept any more.'),
  attackSince: MomentText.nullable().describe(
    'Since when the site was under attack; null where it was not, or that is not kept.',
  ),
})
export type Before = z.output<typeof Before>

export const ByZone = z.object({
  zone: z
    .object({ id: z.number().int(), name: z.string() })
    .nullable()
    .describe('The zone; null for who may not see it, to whom its settings are not told.'),
  list: z
    .object({
      isListed: z.boolean().describe('Whether the list refuses the address now.'),
      entry: z
        .string()
        .nullable()
        .describe('The entry that meant the address, as it was then; null where not told, or not found.'),
      revision: z.number().int().nullable().describe('Of the zone, then.'),
      savedAt: MomentText.nullable(),
    })
    .nullable(),
  limit: z
    .object({ count: z.number().int(), seconds: z.number(), limit: z.number() })
    .nullable()
    .describe(
      'Logged requests of the address to the sites of the zone that the caller sees, within the seconds that the limit counts, this one included; and how many pass it in that time, on a node.',
    ),
  ban: z
    .object({
      cause: ZoneBanCauseWord,
      since: MomentText,
      until: MomentText.describe('When it ends or was lifted.'),
      node: z.string().nullable().describe('The node that began it; null for who may not see the zone.'),
    })
    .nullable()
    .describe('The ban from the zone; null where there was none, or it is not kept any more.'),
})
export type ByZone = z.output<typeof ByZone>

export const accessLog = {
  list: endpoint('logs.access', 'POST', '/:tier/logs/access', {
    can: 'logs.read',
    body: LogFilter.extend({
      startTime: Moment,
      endTime: Moment,
      page: z.number().int().min(1).max(1000).default(1),
      pageSize: z.number().int().min(1).max(pageSizeMax).default(10),
      sortBy: z.enum(['time', 'status', 'traffic', 'requestTime']).default('time'),
      orderBy: SortOrder.default('desc'),
    }).refine((body) => body.startTime < body.endTime, { path: ['endTime'], message: 'wrongFormat' }),
    reply: pageOf(AccessLogRow).extend({ isCapped: z.boolean() }),
    kind: 'list',
    summary: 'Returns a page of the access log.',
  }),
  /**
   * Server-sent events: `row` (AccessLogRow[]), `lag` ({ lagMs, dropped }) once a second. The filter is one JSON value.
   */
  live: endpoint('logs.access.live', 'GET', '/:tier/logs/access/live', {
    can: 'logs.read',
    query: z.strictObject({ filter: z.string().max(8192).default('{}') }),
    kind: 'stream',
    beyond: true,
    summary: 'Streams the access log, at most 50 rows a second, and reports how many were skipped.',
  }),
  explain: endpoint('logs.explain', 'POST', '/:tier/logs/explain', {
    can: 'logs.explain',
    audit: false,
    body: z.strictObject({ reference: z.string().trim().min(1, 'required').max(128, 'wrongFormat') }),
    reply: z.object({
      siteID: z.number().int(),
      siteName: z.string(),
      node: z.string(),
      revision: z.number().int(),
      time: MomentText,
      guard: z.string(),
      rule: z.number().int(),
      cause: z.number().int(),
      /** The rule as it was in that revision; null if it is not kept. */
      ruleBody: z.unknown(),
      /** The log row; null if it was sampled away or has aged out. */
      row: AccessLogRow.nullable(),
      /** What each guard decides about that request under that revision; null if the revision or the row is gone. */
      explanation: Explanation.nullable(),
      byZone: ByZone.nullable().describe('What the firewall of the zone decided by; null where it did not decide.'),
      before: Before.nullable().describe('What came before it, where the guard decided by that and the row is kept.'),
    }),
    beyond: true,
    summary: 'Explains why a request was refused, by the reference on the refusal page or by request id.',
  }),
}
