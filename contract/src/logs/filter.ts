/** The filters of log and statistics calls. */
import { z } from 'zod'

const texts = z.array(z.string().max(2048)).max(50)
const numbers = z.array(z.number().int().min(0).max(2_147_483_647)).max(500)
/** What a column of small codes can hold. */
const codes = z.array(z.number().int().min(0).max(65_535)).max(500)
const ids = z.array(z.number().int().min(0).max(4_294_967_295)).max(500)

/** Fields filtered by a list of values, each with an excluding counterpart. */
const lists = {
  status: codes.default([]),
  cause: codes.default([]),
  method: texts.default([]),
  ip: texts.default([]),
  country: texts.default([]),
  /** The number of the client's network (autonomous system); 0 for unknown networks. */
  asn: ids.default([]),
  /** A verified bot, as the zone names it; '' for all other clients. */
  bot: texts.default([]),
  action: texts.default([]),
  guard: texts.default([]),
  /** The rule that decided or observed; 0 for requests without one. */
  rule: ids.default([]),
  /** A WAF rule that matched, whether or not it decided. */
  wafRule: ids.default([]),
  cache: texts.default([]),
  route: texts.default([]),
  host: texts.default([]),
  /** A host and path, exactly, without the query: as in the top list of URLs. */
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

/** Filters that all log calls share. Lists are any-of; the counterpart under `not` excludes. */
export const LogFilter = z.strictObject({
  siteIDs: numbers.default([]),
  domainIDs: numbers.default([]),
  zoneIDs: numbers.default([]),
  ...lists,
  /** Text that the URL contains. */
  url: z.string().max(2048).default(''),
  /** Text that the path, query, user agent or referer contains, case-insensitive. */
  text: z.string().trim().max(256, 'charactersExceedLimit').default(''),
  reqID: z.string().max(64).default(''),
  not: z.strictObject(lists).prefault({}),
})
export type LogFilter = z.output<typeof LogFilter>
