/** The parts that belong to one site: its settings, rules, cache rules, error pages and certificates. */
import { z } from 'zod'
import { HeaderName, urlCharsMax } from '../fields.ts'
import { Cidr, distinct, EdgeRegex, rulesMax } from '../firewall/edge-rule-fields.ts'
import { EdgeHeaderRule } from '../firewall/header-rules.ts'
import { type FirewallKind, firewallKinds } from '../firewall/kinds.ts'
import { EdgeAntiReferer } from './anti-rules.ts'
import { HostName } from './host-name.ts'

/** Milliseconds, up to an hour. */
const Wait = z.number().int().min(1).max(3_600_000)

/** The part of kind `settings`: individual settings of a site. */
export const SettingsPart = z.object({
  kind: z.literal('settings'),
  /** The header that carries the origin credential. */
  originCredentialHeader: HeaderName.optional(),
  /** Bytes of a request body; 0 for no limit. */
  bodyBytesMax: z.number().int().nonnegative(),
  /** Request headers that reach origins although responses depend on them: they are part of the cache key. */
  keyedHeaders: z.array(HeaderName).max(10).optional(),
  /**
   * A path that origins may read in several ways (`//`, `/../`, `%2F`, `;`): `match` evaluates the rules for each
   * reading, `refuse` responds with 400, `pass` evaluates them for the canonical path only. Absent for `match`.
   */
  ambiguousPaths: z.enum(['match', 'refuse', 'pass']).optional(),
  /** Milliseconds to connect to an origin, to the first byte of its response, and between two bytes of it. */
  originConnectTimeoutMs: Wait,
  originFirstByteTimeoutMs: Wait,
  originIdleTimeoutMs: Wait,
  /** Milliseconds without a byte on a WebSocket or an event stream. */
  websocketIdleTimeoutMs: Wait,
  /**
   * What the edge compresses itself; absent for nothing. `types` are media types, `minLength` is in bytes, `level` is 1
   * to 9.
   */
  compression: z
    .object({
      types: z.array(z.string().max(127)).max(50),
      minLength: z.number().int().nonnegative(),
      level: z.number().int().min(1).max(9),
    })
    .optional(),
  /** Addresses in front of the edge whose X-Forwarded-For is trusted, as CIDRs. */
  trustedProxies: z.array(Cidr).max(1000),
  /**
   * Requests whose path contains a backslash, which some origins read as a slash: refused (also if absent), read as if
   * it were a slash, or passed on unchanged.
   */
  backslashes: z.enum(['refuse', 'normalise', 'pass']).optional(),
  /**
   * Absent for TLS 1.2 and 1.3 with authenticated ciphers; `modern` is 1.3 only, `wide` adds ciphers for old clients.
   */
  tlsProfile: z.enum(['modern', 'wide']).optional(),
  /** False: handshakes for the site do not offer HTTP/2, whatever the listener supports. Absent for true. */
  http2: z.boolean().optional(),
  /** The same for HTTP/3. */
  http3: z.boolean().optional(),
  /** The value of Strict-Transport-Security, sent in responses over TLS only. */
  hsts: z
    .string()
    .regex(/^max-age=\d+(; includeSubDomains)?(; preload)?$/)
    .optional(),
  /** Ports of the zone, in addition to those for http and https, on which the site is served. */
  ports: z.array(z.number().int().min(1).max(65535)).max(100).optional(),
  /**
   * Responses carry Cache-Status for visitors from these networks; an empty list means all visitors. Absent for nobody.
   */
  cacheStatus: z.object({ networks: z.array(Cidr).max(100) }).optional(),
  /** False: an Upgrade to a WebSocket is dropped. Absent for true. */
  websocket: z.boolean().optional(),
  /** True: gRPC calls reach origins over HTTP/2. Absent for false: they are ordinary requests. */
  grpc: z.boolean().optional(),
  /**
   * How origins are verified over TLS, and the server name sent to them (SNI) if it is not the Host. Absent for no
   * verification.
   */
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
  /** PEM of the client certificate presented to origins, the certificate itself first; its key is a secret. */
  originCertificate: z.string().max(70_000).optional(),
  /** The Host that origins get, if it is not the visitor's. */
  originHost: HostName.optional(),
  /** How origins are health-checked; seconds, and numbers of checks. Absent for no checks. */
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
  /**
   * A site that is paused, limited or expired is refused (403) from this moment on, in epoch seconds. Absent for an
   * open site.
   */
  closed: z.object({ from: z.number().int().nonnegative() }).optional(),
})
export type SettingsPart = z.output<typeof SettingsPart>

type FirewallLists = { [K in FirewallKind]: z.ZodOptional<z.ZodArray<(typeof firewallKinds)[K]['edge']>> }
const firewallLists = Object.fromEntries(
  Object.entries(firewallKinds).map(([kind, { edge }]) => [kind, distinct(edge, rulesMax).optional()]),
) as unknown as FirewallLists

/** Whole-site protection. */
export const EdgeSiteMode = z.strictObject({
  /** 1 to 5: how every visitor is challenged; 0 for no challenge. */
  blockType: z.number().int().min(0).max(5),
  /**
   * Visitors are challenged only during an attack, which begins above this many requests per second; 0 for more than
   * usual. Absent if traffic plays no part in it.
   */
  auto: z.strictObject({ threshold: z.number().int().nonnegative() }).optional(),
  /** How long an address that keeps being refused is banned, in seconds. */
  blockSeconds: z.number().int().min(60).max(86_400),
  /** Paths exempt from the site's challenge; one that ends in a slash includes everything below it. */
  whitePaths: z.array(z.string().startsWith('/').max(urlCharsMax)).max(50),
})
export type EdgeSiteMode = z.output<typeof EdgeSiteMode>

/**
 * The part of kind `firewall`: the rules of each kind, absent for none. Strict, like the rules. Every list is in
 * evaluation order; disabled rules are left out.
 */
export const FirewallPart = z.strictObject({
  kind: z.literal('firewall'),
  ...firewallLists,
  antiHeaders: distinct(EdgeHeaderRule, rulesMax).optional(),
  antiReferers: distinct(EdgeAntiReferer, rulesMax).optional(),
  /** Absent if it is off. */
  siteMode: EdgeSiteMode.optional(),
})
export type FirewallPart = z.output<typeof FirewallPart>

/** At most a year, in seconds. */
const CacheSeconds = z.number().int().min(0).max(31_536_000)
/** Names of headers, cookies or parameters. */
const CacheNames = z.array(z.string().min(1).max(256)).max(50)

export const EdgeCacheRule = z.object({
  id: z.number().int(),
  /** Path prefixes, or extensions without a dot, lower case. One of these and the next two is filled. */
  prefixes: z.array(z.string()),
  extensions: z.array(z.string()),
  /** Whole paths; regular expressions on the path. Absent for none. */
  paths: z.array(z.string()).optional(),
  patterns: z.array(EdgeRegex).optional(),
  /** Seconds; 0 means do not store. */
  ttl: CacheSeconds,
  ignoreQuery: z.boolean(),
  /** Whether answers to visitors with a session cookie or credentials are stored too. Absent for false. */
  forSignedIn: z.boolean().optional(),
  /** Seconds in browsers; absent to pass on the origin's headers. */
  browserTtl: CacheSeconds.optional(),
  /** Whether a lifetime from the origin takes precedence over `ttl`. Absent for false. */
  respectsOrigin: z.boolean().optional(),
  /** The only query parameters that are part of the key, or those that are not. Absent if all are. */
  query: z.object({ only: z.boolean(), names: CacheNames }).optional(),
  /** What else is part of the key: headers (lower case), cookies, and the type of device. Absent for nothing. */
  keyHeaders: CacheNames.optional(),
  keyCookies: CacheNames.optional(),
  keyDevice: z.boolean().optional(),
  /** Whether HEAD bypasses the cache. Absent for false. */
  skipsHead: z.boolean().optional(),
  /** Seconds by status, instead of `ttl`. Absent for none. */
  statuses: z
    .array(z.object({ status: z.number().int().min(200).max(599), ttl: CacheSeconds }))
    .max(100)
    .optional(),
  /** Seconds; absent if the origin's values apply. */
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
  /** Bytes per second, and the bytes that are sent before the limit applies. */
  rate: z.number().int().min(1),
  afterSize: z.number().int().nonnegative(),
})
export type EdgeBandwidthLimit = z.output<typeof EdgeBandwidthLimit>

/** The part of kind `bandwidth`, its limits in evaluation order. */
export const BandwidthPart = z.object({
  kind: z.literal('bandwidth'),
  limits: distinct(EdgeBandwidthLimit, rulesMax),
})
export type BandwidthPart = z.output<typeof BandwidthPart>

/** The part of kind `errorPages`: pages instead of the edge's own. */
export const ErrorPagesPart = z.object({
  kind: z.literal('errorPages'),
  pages: z
    .array(
      z.object({
        /** An HTTP status, or the cause of a refusal. */
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

/**
 * The part of kind `certificate`: what a node presents in a handshake. Its key is sent separately, sealed to the node.
 */
export const CertificatePart = z.strictObject({
  kind: z.literal('certificate'),
  certificate: z.number().int(),
  /** PEM, the certificate itself first. */
  chain: z.string().min(1).max(200_000),
})
export type CertificatePart = z.output<typeof CertificatePart>
