/** What the calls of logs and statistics filter by. */
import { z } from 'zod'

const texts = z.array(z.string().max(2048)).max(50)
const numbers = z.array(z.number().int().min(0).max(2_147_483_647)).max(500)
/** What a column of small codes can hold. */
const codes = z.array(z.number().int().min(0).max(65_535)).max(500)
const ids = z.array(z.number().int().min(0).max(4_294_967_295)).max(500)

/** The fields that are filtered by a list of values, each with its excluding twin. */
const lists = {
  status: codes.default([]),
  cause: codes.default([]),
  method: texts.default([]),
  ip: texts.default([]),
  country: texts.default([]),
  /** The number of the client's network (autonomous system); 0 for clients that no data knows. */
  asn: ids.default([]),
  /** A verified bot, as the zone names it; '' for all other clients. */
  bot: texts.default([]),
  action: texts.default([]),
  guard: texts.default([]),
  /** The rule that decided or observed; 0 for requests that none touched. */
  rule: ids.default([]),
  /** A rule of the WAF that matched, whether or not it decided. */
  wafRule: ids.default([]),
  cache: texts.default([]),
  route: texts.default([]),
  host: texts.default([]),
  /** A host and path, exactly, without the query: as the top list of URLs names them. */
  hostPath: texts.default([]),
  userAgent: texts.default([]),
  referer: texts.default([]),
  contentType: texts.default([]),
  scheme: texts.default([]),
  httpVersion: texts.default([]),
  originStatus: codes.default([]),
  originFailure: texts.default([]),
  node: ids.default([]),
}

/** Filters that every log call shares. Lists are any-of; the `not` twin excludes. */
export const LogFilter = z.strictObject({
  siteIDs: numbers.default([]),
  domainIDs: numbers.default([]),
  zoneIDs: numbers.default([]),
  ...lists,
  /** Text that the URL contains. */
  url: z.string().max(2048).default(''),
  /** Text that the path, query, user agent or referer contains, in either case. */
  text: z.string().trim().max(256, 'charactersExceedLimit').default(''),
  reqID: z.string().max(64).default(''),
  not: z.strictObject(lists).prefault({}),
})
export type LogFilter = z.output<typeof LogFilter>
