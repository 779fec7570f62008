/**
 * Bans that the nodes of a site, or of a whole zone, share. The node that bans an address reports it; every node that
 * serves the site polls for changes. Both sides send the seconds that are left, so that clocks need not agree.
 *
 *   POST /bans  BanReports → BanReceipt            what this node banned
 *   GET  /bans  ?after&sites&zone → BansReply      what was banned and lifted since; after 0, all current ones, of
 *                                                  these sites or all; with `zone=1` also of the zone
 */
import { z } from 'zod'
import { Cidr } from '../firewall/edge-rule-fields.ts'
import { Signature } from './node-api.ts'
import { referencePattern } from './reference.ts'
import { askedMax, zoneWide } from './zone-bans.ts'

/** The longest a ban lasts, in seconds. */
export const banSecondsMax = 604_800
/** The most banned addresses of a site at a time. Further ones are refused. */
export const bansOfSiteMax = 10_000
/** The most banned addresses of a zone at a time; further ones are refused, too. */
export const bansOfZoneMax = 200_000
export const banReportsMax = 500
/** The most sites per query, for a node that begins to serve them. */
export const banSitesMax = 200

/** A site id that fits the database column, or the whole zone. */
const Site = z
  .number()
  .int()
  .min(zoneWide)
  .max(2 ** 31 - 1)

export const BanReport = z.object({
  site: Site,
  /** An IPv4 address, or an IPv6 /64: the canonical text. */
  address: Cidr,
  /** What blocked the request that led to the ban, and its rule. */
  guard: z.string().regex(/^[A-Za-z]{1,32}$/),
  rule: z.number().int().min(0),
  cause: z.number().int().min(0).max(65_535),
  seconds: z.number().int().min(1).max(banSecondsMax),
  requestId: z.string().regex(/^[0-9a-f]{32}$/),
  /** Empty for a ban of the whole zone: no response of a site showed the visitor one. */
  reference: z.union([z.string().regex(referencePattern), z.literal('')]),
  /**
   * For a ban of the zone, what was requested last, as there may be no row of it. A visitor may have sent any bytes.
   */
  asked: z
    .string()
    .transform((text) => text.replace(/\p{Cc}/gu, '').slice(0, askedMax))
    .optional(),
})
export type BanReport = z.output<typeof BanReport>
/** Each is validated on its own as a `BanReport`: an invalid one does not affect the others. */
export const BanReports = z.object({ bans: z.array(z.unknown()).min(1).max(banReportsMax) })

/**
 * Bans that were refused: of addresses that are never banned, of sites with too many bans, and invalid reports. The
 * node lifts its own.
 */
export const BanReceipt = z.object({ refused: z.array(z.object({ site: z.number().int(), address: z.string() })) })

/** An address that stays banned for this many seconds; 0 lifts the ban. */
export const BanChange = z.object({
  site: z.number().int().min(zoneWide),
  address: Cidr,
  seconds: z.number().int().min(0).max(banSecondsMax),
})
export type BanChange = z.output<typeof BanChange>

export const BansReply = z.object({
  /** As in a feed: after a restore, a node fetches everything again. */
  epoch: z.number().int(),
  /** The sequence to ask after next, while `more`. */
  after: z.number().int(),
  more: z.boolean(),
  /** JSON text of BanChange[], as signed. */
  bans: z.string(),
  /** JSON text of string[]: networks that a node never drops. Present if bans of the zone were requested. */
  spared: z.string().optional(),
  signature: Signature,
})
export type BansReply = z.output<typeof BansReply>

/**
 * The text that the signature of a reply covers; `asked` is the sequence that the node asked after. Hashes are those of
 * `bans` and, if present, of `spared`.
 */
export function bansSignatureText(
  nodeId: number,
  asked: number,
  reply: Pick<BansReply, 'epoch' | 'after' | 'more'>,
  ...hashes: readonly string[]
): string {
  return ['bans', nodeId, asked, reply.epoch, reply.after, reply.more, ...hashes].join('\n')
}
