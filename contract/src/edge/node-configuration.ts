/**
 * What the operator sets of a node: an object by hash that stands in the group's feed as the entry of site 0, with the
 * same signature, watermark, exceptions and steps as a site. A tombstone there means the defaults.
 *
 * Strict: a field that this node does not know is a newer control plane's, and is refused whole. What comes later is a
 * feature of its own (`features.ts`), and the entry is not told to a node that lacks it.
 */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { Port } from '../fields.ts'
import { Hash } from '../hash.ts'
import { redirectCodes } from './redirect-codes.ts'
import { VerifiedBot, verifiedBotsMax } from './verified-bots.ts'

/** The place of the node configuration in a feed: no site has this id. */
export const configurationSite = 0

const Cidr = z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')

/** As many as a rule set has rules. */
export const observedRulesMax = 2000

/** A port on which all nodes of the zone listen besides those of their own. */
export const ListeningPort = z.strictObject({ port: Port, tls: z.boolean() })
export type ListeningPort = z.output<typeof ListeningPort>

/** Bytes of heads. One line and all of a request's head, and all of an origin's answer's. */
export const Heads = z.strictObject({
  line: z.number().int().min(8192).max(262_144),
  request: z.number().int().min(32_768).max(1_048_576),
  response: z.number().int().min(8192).max(262_144),
})
export type Heads = z.output<typeof Heads>

export const NodeConfiguration = z.strictObject({
  zone: z.number().int(),
  revision: z.number().int(),
  http2: z.boolean(),
  /** Whether to offer HTTP/3, where this node's nginx can; absent for not. */
  http3: z.boolean().optional(),
  ports: z.array(ListeningPort).max(100),
  heads: Heads,
  /** Proxies in front of all nodes of the zone whose X-Forwarded-For is believed. */
  trustedProxies: z.array(Cidr).max(100),
  /** The status of a redirect from http to https. nginx takes it without a reload. */
  forceSSLRedirectCode: z.literal(redirectCodes),
  /** Handshakes for names of nobody's, of one address within a minute, before all of its handshakes end; absent for no limit. Without a reload, too. */
  tlsLimitCount: z.number().int().positive().optional(),
  /** Addresses that every site refuses; a limit of requests of one address over all sites; requests for unknown hosts within a minute. Absent for none. */
  ipset: z.array(Cidr).max(5000).optional(),
  anticc: z
    .strictObject({
      seconds: z.number().int().min(1).max(86_400),
      times: z.number().int().min(1),
      blockType: z.number().int().min(1).max(5),
    })
    .optional(),
  invalidDomainLimitCount: z.number().int().positive().optional(),
  /** False where banned addresses are refused by nginx alone; absent where the kernel drops them, on nodes that can. */
  kernelBans: z.literal(false).optional(),
  /** PEM certificates of authorities that are believed about origins beside the machine's; absent for those alone. */
  originAuthorities: z.string().max(131_072).optional(),
  /** The part of kind `wafRules` that the WAF asks on all nodes of the zone, in the place of those that sites name; absent for theirs. */
  wafRules: Hash.optional(),
  /** Of the same rule set, those about answers; absent where it has none. */
  wafResponses: Hash.optional(),
  /** Rules of that set which are noted and do not count: it matched more often by them than the set before. Absent for none. */
  wafObserved: z.array(z.number().int().positive()).max(observedRulesMax).optional(),
  /** A part of kind `wafRules` that is asked about so many of a hundred requests beside the one that decides, for the log alone; absent for none. `node`: on that one alone. */
  wafShadow: z
    .strictObject({ rules: Hash, percent: z.number().int().min(1).max(100), node: z.number().int().optional() })
    .optional(),
  /** Tables of countries and networks (`address-table.ts`, packed by gzip) in the place of those of the release; absent for theirs. Without a reload. */
  addressData: z.strictObject({ countries: Hash.optional(), networks: Hash.optional() }).optional(),
  /** Bots that are spared challenges once they are verified; absent for none. Without a reload. */
  verifiedBots: z.array(VerifiedBot).max(verifiedBotsMax).optional(),
  /** What is set for single nodes, by their ids. */
  nodes: z.record(
    z.string().regex(/^\d+$/),
    z.strictObject({
      cacheBytes: z.number().int().nonnegative(),
      spoolBytes: z.number().int().nonnegative(),
    }),
  ),
})
export type NodeConfiguration = z.output<typeof NodeConfiguration>

/** What nginx takes of it without a reload, in `configuration.json` of the node's folder and by `POST /configuration`. */
export const LiveConfiguration = NodeConfiguration.pick({
  revision: true,
  forceSSLRedirectCode: true,
  tlsLimitCount: true,
  ipset: true,
  anticc: true,
  invalidDomainLimitCount: true,
  wafRules: true,
  wafResponses: true,
  wafObserved: true,
  wafShadow: true,
  addressData: true,
  verifiedBots: true,
})
export type LiveConfiguration = z.output<typeof LiveConfiguration>

/** What holds where the operator has set nothing. */
export const defaultConfiguration: NodeConfiguration = {
  ...{ zone: 0, revision: 0, http2: true, ports: [], trustedProxies: [], forceSSLRedirectCode: 301, nodes: {} },
  heads: { line: 65_536, request: 262_144, response: 65_536 },
}
