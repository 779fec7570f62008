/**
 * Bans that the nodes of a site, or of a whole zone, have in common. The node that bans an address says so; every node
 * that serves the site asks for what is new. Both sides say how many seconds are left, so that no clock need agree with another.
 *
 *   POST /bans  BanReports → BanReceipt            what this node banned
 *   GET  /bans  ?after&sites&zone → BansReply      what is banned and lifted since; after 0 all that is banned now, of these sites or all; with `zone=1` also of the zone
 */
import { z } from 'zod'
import { Cidr } from '../firewall/edge-rule-fields.ts'
import { Signature } from './node-api.ts'
import { referencePattern } from './reference.ts'
import { askedMax, zoneWide } from './zone-bans.ts'

/** The longest a ban lasts, in seconds. */
export const banSecondsMax = 604_800
/** Addresses of a site that are banned at a time. One more is refused. */
export const bansOfSiteMax = 10_000
/** Addresses that a zone has banned at a time; one more is refused, too. */
export const bansOfZoneMax = 200_000
export const banReportsMax = 500
/** Sites that a node asks about at once, when it begins to serve them. */
export const banSitesMax = 200

/** What a column of ids holds, or the whole zone. */
const Site = z
  .number()
  .int()
  .min(zoneWide)
  .max(2 ** 31 - 1)

export const BanReport = z.object({
  site: Site,
  /** An IPv4 address, or an IPv6 /64: the canonical text. */
  address: Cidr,
  /** What refused the request that led to the ban, and its rule. */
  guard: z.string().regex(/^[A-Za-z]{1,32}$/),
  rule: z.number().int().min(0),
  cause: z.number().int().min(0).max(65_535),
  seconds: z.number().int().min(1).max(banSecondsMax),
  requestId: z.string().regex(/^[0-9a-f]{32}$/),
  /** Empty where it is of the whole zone: no site's answer told the visitor of it. */
  reference: z.union([z.string().regex(referencePattern), z.literal('')]),
  /** Of a ban of the zone what was asked for last, as there may be no row of it. A visitor may have sent any bytes. */
  asked: z
    .string()
    .transform((text) => text.replace(/\p{Cc}/gu, '').slice(0, askedMax))
    .optional(),
})
export type BanReport = z.output<typeof BanReport>
/** Each is judged by itself, as a `BanReport`: one that is none takes no other with it. */
export const BanReports = z.object({ bans: z.array(z.unknown()).min(1).max(banReportsMax) })

/** What was not taken, for addresses that are never banned, where a site has enough, and where a report is none: the node lifts its own. */
export const BanReceipt = z.object({ refused: z.array(z.object({ site: z.number().int(), address: z.string() })) })

/** An address that is banned for so many seconds more; lifted where they are 0. */
export const BanChange = z.object({
  site: z.number().int().min(zoneWide),
  address: Cidr,
  seconds: z.number().int().min(0).max(banSecondsMax),
})
export type BanChange = z.output<typeof BanChange>

export const BansReply = z.object({
  /** As in a feed: after a restore a node asks for all anew. */
  epoch: z.number().int(),
  /** Ask again with it while `more`. */
  after: z.number().int(),
  more: z.boolean(),
  /** JSON text of BanChange[], as it was signed. */
  bans: z.string(),
  /** JSON text of string[]: networks that a node never drops. Where it asked for bans of the zone. */
  spared: z.string().optional(),
  signature: Signature,
})
export type BansReply = z.output<typeof BansReply>

/** The text that the signature of a reply covers; `asked` is the sequence that the node asked after. Hashes are of `bans` and, where it is there, of `spared`. */
export function bansSignatureText(
  nodeId: number,
  asked: number,
  reply: Pick<BansReply, 'epoch' | 'after' | 'more'>,
  ...hashes: readonly string[]
): string {
  return ['bans', nodeId, asked, reply.epoch, reply.after, reply.more, ...hashes].join('\n')
}
