/** The parts of a site of its own: its settings, rules, cache rules, pages and certificates. */
import { z } from 'zod'
import { HeaderName, urlCharsMax } from '../fields.ts'
import { Cidr, distinct, EdgeRegex, rulesMax } from '../firewall/edge-rule-fields.ts'
import { EdgeHeaderRule } from '../firewall/header-rules.ts'
import { type FirewallKind, firewallKinds } from '../firewall/kinds.ts'
import { EdgeAntiReferer } from './anti-rules.ts'
import { HostName } from './host-name.ts'

/** Milliseconds, up to an hour. */
const Wait = z.number().int().min(1).max(3_600_000)

/** The part of kind `settings`: single settings of a site. */
export const SettingsPart = z.object({
  kind: z.literal('settings'),
  /** The header that carries the origin credential. */
  originCredentialHeader: HeaderName.optional(),
  /** Bytes of a request body; 0 for no limit. */
  bodyBytesMax: z.number().int().nonnegative(),
  /** Request headers that reach origins although answers depend on them: they are part of the cache key. */
  keyedHeaders: z.array(HeaderName).max(10).optional(),
  /**
   * A path that origins may read in several ways (`//`, `/../`, `%2F`, `;`): `match` asks the rules about each reading,
   * `refuse` answers 400, `pass` asks them about the canonical path alone. Absent for `match`.
   */
  ambiguousPaths: z.enum(['match', 'refuse', 'pass']).optional(),
  /** Milliseconds to connect to an origin, until the first byte of its answer, and between two bytes of it. */
  originConnectTimeoutMs: Wait,
  originFirstByteTimeoutMs: Wait,
  originIdleTimeoutMs: Wait,
  /** Milliseconds without a byte on a WebSocket or an event stream. */
  websocketIdleTimeoutMs: Wait,
  /** What the edge compresses itself; absent for nothing. `types` are media types, `minLength` is in bytes, `level` 1 to 9. */
  compression: z
    .object({
      types: z.array(z.string().max(127)).max(50),
      minLength: z.number().int().nonnegative(),
      level: z.number().int().min(1).max(9),
    })
    .optional(),
  /** Addresses in front of the edge whose X-Forwarded-For is believed, as CIDRs. */
  trustedProxies: z.array(Cidr).max(1000),
  /**
   * Requests whose path holds a backslash, which some origins read as a slash: refused (so too where this is absent),
   * read as if it were a slash, or passed on as they are.
   */
  backslashes: z.enum(['refuse', 'normalise', 'pass']).optional(),
  /** Absent for TLS 1.2 and 1.3 with authenticated ciphers: `modern` is 1.3 alone, `wide` adds ciphers of old clients. */
  tlsProfile: z.enum(['modern', 'wide']).optional(),
  /** False: handshakes for the site offer no HTTP/2, whatever the listener speaks. Absent for true. */
  http2: z.boolean().optional(),
  /** False: nor HTTP/3. */
  http3: z.boolean().optional(),
  /** The value of Strict-Transport-Security, which only answers over TLS have. */
  hsts: z
    .string()
    .regex(/^max-age=\d+(; includeSubDomains)?(; preload)?$/)
    .optional(),
  /** Ports of the zone, beside those of http and https, on which the site answers. */
  ports: z.array(z.number().int().min(1).max(65535)).max(100).optional(),
  /** Answers say what the cache made of them, to visitors from these networks; an empty list means all. Absent for nobody. */
  cacheStatus: z.object({ networks: z.array(Cidr).max(100) }).optional(),
  /** False: an Upgrade to a WebSocket is dropped. Absent for true. */
  websocket: z.boolean().optional(),
  /** True: gRPC calls reach origins over HTTP/2. Absent for false: they are ordinary requests. */
  grpc: z.boolean().optional(),
  /** How origins over TLS are verified, and the name they are asked for (SNI) where it is not the Host. Absent for not at all. */
  originTls: z
    .object({
      verify: z.enum(['off', 'system', 'ca', 'pin']),
      /** PEM certificates of the authority. */
      ca: z.string().max(70_000).optional(),
      /** SHA-256 of public keys (SPKI), base64. */
      pins: z.array(z.string().max(44)).max(10).optional(),
      serverName: HostName.optional(),
    })
    .optional(),
  /** PEM of the certificate that origins are shown, the certificate itself first; its key is a secret. */
  originCertificate: z.string().max(70_000).optional(),
  /** The Host that origins get, where it is not the visitor's. */
  originHost: HostName.optional(),
  /** How origins are checked without requests; seconds, and numbers of checks. Absent for not at all. */
  originCheck: z
    .object({
      type: z.enum(['tcp', 'http']),
      path: z.string().max(urlCharsMax).optional(),
      /** Statuses, or their first digit: `204`, `2xx`. */
      codes: z.array(z.string().max(3)).max(20).optional(),
      interval: z.number().int().min(1).max(300),
      timeout: z.number().int().min(1).max(60),
      rise: z.number().int().min(1).max(10),
      fall: z.number().int().min(1).max(10),
    })
    .optional(),
  /** A site that is paused, limited or expired is refused (403) from this moment on, in epoch seconds. Absent for an open one. */
  closed: z.object({ from: z.number().int().nonnegative() }).optional(),
})
export type SettingsPart = z.output<typeof SettingsPart>

type FirewallLists = { [K in FirewallKind]: z.ZodOptional<z.ZodArray<(typeof firewallKinds)[K]['edge']>> }
const firewallLists = Object.fromEntries(
  Object.entries(firewallKinds).map(([kind, { edge }]) => [kind, distinct(edge, rulesMax).optional()]),
) as unknown as FirewallLists

/** Protection of a whole site. */
export const EdgeSiteMode = z.strictObject({
  /** 1 to 5: how every visitor is challenged; 0 where nobody is. */
  blockType: z.number().int().min(0).max(5),
  /** Challenged during an attack alone, which begins above so many requests a second; 0 for more than is usual. Absent where traffic decides nothing. */
  auto: z.strictObject({ threshold: z.number().int().nonnegative() }).optional(),
  /** For how long an address is banned that keeps being refused. */
  blockSeconds: z.number().int().min(60).max(86_400),
  /** Paths that are not challenged with the site; one that ends in a slash means all below it. */
  whitePaths: z.array(z.string().startsWith('/').max(urlCharsMax)).max(50),
})
export type EdgeSiteMode = z.output<typeof EdgeSiteMode>

/**
 * The part of kind `firewall`: the rules of each kind, absent for none. Strict as they are. Every list is sorted in the
 * order in which it is asked; disabled rules are left out.
 */
export const FirewallPart = z.strictObject({
  kind: z.literal('firewall'),
  ...firewallLists,
  antiHeaders: distinct(EdgeHeaderRule, rulesMax).optional(),
  antiReferers: distinct(EdgeAntiReferer, rulesMax).optional(),
  /** Absent where it does not hold. */
  siteMode: EdgeSiteMode.optional(),
})
export type FirewallPart = z.output<typeof FirewallPart>

/** Seconds of a year at most. */
const CacheSeconds = z.number().int().min(0).max(31_536_000)
/** Names of headers, cookies or parameters. */
const CacheNames = z.array(z.string().min(1).max(256)).max(50)

export const EdgeCacheRule = z.object({
  id: z.number().int(),
  /** Path prefixes, or extensions without a dot, lower case. One of these and the next two is filled. */
  prefixes: z.array(z.string()),
  extensions: z.array(z.string()),
  /** Whole paths; expressions over the path. Absent for none. */
  paths: z.array(z.string()).optional(),
  patterns: z.array(EdgeRegex).optional(),
  /** Seconds; 0 means do not store. */
  ttl: CacheSeconds,
  ignoreQuery: z.boolean(),
  /** Whether answers to visitors with a session cookie or credentials are stored too. Absent for false. */
  forSignedIn: z.boolean().optional(),
  /** Seconds in browsers; absent where the origin's words pass. */
  browserTtl: CacheSeconds.optional(),
  /** Whether a lifetime that the origin says goes before `ttl`. Absent for false. */
  respectsOrigin: z.boolean().optional(),
  /** Parameters that alone, or that do not, take part in the key. Absent where all do. */
  query: z.object({ only: z.boolean(), names: CacheNames }).optional(),
  /** What else is part of the key: headers (lower case), cookies, and the kind of device. Absent for nothing. */
  keyHeaders: CacheNames.optional(),
  keyCookies: CacheNames.optional(),
  keyDevice: z.boolean().optional(),
  /** Whether HEAD bypasses the cache. Absent for false. */
  skipsHead: z.boolean().optional(),
  /** Seconds by status, in the place of `ttl`. Absent for none. */
  statuses: z
    .array(z.object({ status: z.number().int().min(200).max(599), ttl: CacheSeconds }))
    .max(100)
    .optional(),
  /** Seconds; absent where the origin's words count. */
  staleWhileRevalidate: CacheSeconds.optional(),
  staleIfError: CacheSeconds.optional(),
  /** Whether objects are fetched and stored in slices of 1 MiB. Absent for false. */
  slice: z.boolean().optional(),
  /** Requests with any of these bypass the cache. A cookie's name may end in `*`. Absent for none. */
  bypass: z.object({ cookies: CacheNames, headers: CacheNames, query: CacheNames }).optional(),
})
export type EdgeCacheRule = z.output<typeof EdgeCacheRule>

/** The part of kind `cache`. */
export const CachePart = z.object({ kind: z.literal('cache'), rules: distinct(EdgeCacheRule, rulesMax) })
export type CachePart = z.output<typeof CachePart>

export const EdgeBandwidthLimit = z.object({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  /** Bytes a second, and bytes before it holds. */
  rate: z.number().int().min(1),
  afterSize: z.number().int().nonnegative(),
})
export type EdgeBandwidthLimit = z.output<typeof EdgeBandwidthLimit>

/** The part of kind `bandwidth`, in the order in which its limits are asked. */
export const BandwidthPart = z.object({
  kind: z.literal('bandwidth'),
  limits: distinct(EdgeBandwidthLimit, rulesMax),
})
export type BandwidthPart = z.output<typeof BandwidthPart>

/** The part of kind `errorPages`: pages in place of the edge's own. */
export const ErrorPagesPart = z.object({
  kind: z.literal('errorPages'),
  pages: z
    .array(
      z.object({
        /** A status of HTTP, or the cause of a refusal. */
        status: z.number().int().min(400).max(999),
        /** HTML without scripts; may hold `{{reference}}`, `{{host}}` and `{{status}}`. */
        content: z.string().max(200_000),
        /** Whether it replaces an origin's page of this status too. */
        intercept: z.boolean(),
      }),
    )
    .max(20),
})
export type ErrorPagesPart = z.output<typeof ErrorPagesPart>

/** The part of kind `certificate`: what a node shows in a handshake. Its key travels apart, sealed to the node. */
export const CertificatePart = z.strictObject({
  kind: z.literal('certificate'),
  certificate: z.number().int(),
  /** PEM, the certificate itself first. */
  chain: z.string().min(1).max(200_000),
})
export type CertificatePart = z.output<typeof CertificatePart>
