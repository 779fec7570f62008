/**
 * The operator's settings for nodes: an object by hash in the group's feed, as the entry of site 0, with the same
 * signature, watermark, exceptions and roll-out steps as a site. A tombstone there means the defaults.
 *
 * Strict: a field that this node does not know comes from a newer control plane, and the object is rejected as a whole.
 * Later additions are features of their own (`features.ts`), and the entry is not sent to a node that lacks them.
 */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { Port } from '../fields.ts'
import { Hash } from '../hash.ts'
import { redirectCodes } from './redirect-codes.ts'
import { VerifiedBot, verifiedBotsMax } from './verified-bots.ts'

/** The site id of the node configuration in a feed: no site has it. */
export const configurationSite = 0

const Cidr = z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')

/** As many as a rule set can have rules. */
export const observedRulesMax = 2000

/** A port on which all nodes of the zone listen in addition to their own. */
export const ListeningPort = z.strictObject({ port: Port, tls: z.boolean() })
export type ListeningPort = z.output<typeof ListeningPort>

/** Header sizes in bytes: one line and the whole header of a request, and the whole header of an origin's response. */
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
  /** Whether to offer HTTP/3, if this node's nginx supports it; absent for no. */
  http3: z.boolean().optional(),
  ports: z.array(ListeningPort).max(100),
  heads: Heads,
  /** Proxies in front of all nodes of the zone whose X-Forwarded-For is trusted. */
  trustedProxies: z.array(Cidr).max(100),
  /** The status of a redirect from http to https. nginx applies it without a reload. */
  forceSSLRedirectCode: z.literal(redirectCodes),
  /**
   * TLS handshakes for unknown names that one address may make within a minute before all of its handshakes are ended;
   * absent for no limit. Also applied without a reload.
   */
  tlsLimitCount: z.number().int().positive().optional(),
  /**
   * Addresses that every site refuses; a limit of requests of one address across all sites; requests for unknown hosts
   * within a minute. Absent for none.
   */
  ipset: z.array(Cidr).max(5000).optional(),
  anticc: z
    .strictObject({
      seconds: z.number().int().min(1).max(86_400),
      times: z.number().int().min(1),
      blockType: z.number().int().min(1).max(5),
    })
    .optional(),
  invalidDomainLimitCount: z.number().int().positive().optional(),
  /** False if banned addresses are refused by nginx only; absent if the kernel drops them, on nodes that can. */
  kernelBans: z.literal(false).optional(),
  /**
   * PEM certificates of authorities that are trusted for origins, in addition to the machine's; absent for the
   * machine's only.
   */
  originAuthorities: z.string().max(131_072).optional(),
  /**
   * The part of kind `wafRules` that the WAF uses on all nodes of the zone, instead of those that sites name; absent
   * for the sites' own.
   */
  wafRules: Hash.optional(),
  /** The rules for responses of the same rule set; absent if it has none. */
  wafResponses: Hash.optional(),
  /**
   * Rules of that set that are logged but do not count: they make it match more often than the previous set. Absent for
   * none.
   */
  wafObserved: z.array(z.number().int().positive()).max(observedRulesMax).optional(),
  /**
   * A part of kind `wafRules` that is also evaluated for this percentage of requests, in addition to the deciding one,
   * for the log only; absent for none. `node`: on that node only.
   */
  wafShadow: z
    .strictObject({ rules: Hash, percent: z.number().int().min(1).max(100), node: z.number().int().optional() })
    .optional(),
  /**
   * Tables of countries and networks (`address-table.ts`, compressed with gzip) that replace those of the release;
   * absent for the release's. Without a reload.
   */
  addressData: z.strictObject({ countries: Hash.optional(), networks: Hash.optional() }).optional(),
  /** Bots that are not challenged once they are verified; absent for none. Without a reload. */
  verifiedBots: z.array(VerifiedBot).max(verifiedBotsMax).optional(),
  /** Settings of single nodes, by node id. */
  nodes: z.record(
    z.string().regex(/^\d+$/),
    z.strictObject({
      cacheBytes: z.number().int().nonnegative(),
      spoolBytes: z.number().int().nonnegative(),
    }),
  ),
})
export type NodeConfiguration = z.output<typeof NodeConfiguration>

/**
 * The settings that nginx applies without a reload: from `configuration.json` in the node's folder and by `POST
 * /configuration`.
 */
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

/** The configuration if the operator has set nothing. */
export const defaultConfiguration: NodeConfiguration = {
  ...{ zone: 0, revision: 0, http2: true, ports: [], trustedProxies: [], forceSSLRedirectCode: 301, nodes: {} },
  heads: { line: 65_536, request: 262_144, response: 65_536 },
}
