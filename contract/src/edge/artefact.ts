/**
 * What a node is told about a site. An artefact is small: pointers to parts by content hash. A part is stored and sent
 * once, however many sites use it. Both are immutable files named by the SHA-256 of their bytes (DESIGN §4).
 */
import { z } from 'zod'
import { parseRange } from '../addresses.ts'
import { HeaderName, HeaderValue, urlCharsMax } from '../fields.ts'
import { checkUrlRegex } from '../url-regex.ts'
import { HostName, HostPattern } from './host-name.ts'

/** The schema this code writes, and the one before it that older agents still speak. */
export const schemaCurrent = 2
export const schemaBefore = 1
export type SchemaVersion = typeof schemaCurrent | typeof schemaBefore

/** Lower-case hexadecimal SHA-256. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/)
export type Hash = z.output<typeof Hash>

/** `originCredential@3`: a secret by name and version. The value travels apart, sealed to the node. */
export const SecretRef = z.string().regex(/^[a-z][A-Za-z0-9-]{0,63}@[1-9]\d{0,8}$/)

/** An object is no longer than this, in bytes: one site's mistake must not fill what all sites share. */
export const objectBytesMax = 8_000_000

/** A list in which no two have the same id: buckets, hits and refusals are told apart by it. */
const distinct = <S extends z.ZodType<{ id: number }>>(item: S, max: number) =>
  z
    .array(item)
    .max(max)
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'an id stands twice')

const Cidr = z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')
/** Milliseconds, up to an hour. */
const Wait = z.number().int().min(1).max(3_600_000)
/** Empty for every URL. What could explode is refused here as it is when it is saved. */
const EdgeRegex = z
  .string()
  .max(urlCharsMax)
  .refine((source) => source === '' || checkUrlRegex(source) === undefined, 'not a safe regular expression')

export const OriginTarget = z.object({
  id: z.number().int(),
  /** An IP address, or a host name that the node resolves. */
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/),
  port: z.number().int().min(1).max(65535),
  weight: z.number().int().min(1).max(100),
  backup: z.boolean(),
  tls: z.boolean(),
})
export type OriginTarget = z.output<typeof OriginTarget>

export const ArtefactDomain = z.object({
  id: z.number().int(),
  /** ASCII, lower case; may begin with `*.`. */
  name: HostPattern,
  origins: z.array(OriginTarget).max(1000),
  balance: z.enum(['roundRobin', 'ipHash', 'leastConnections', 'urlHash']),
  /** The Host that origins get, where it is not the visitor's: a preview host stands for the site's first domain. */
  originHost: HostName.optional(),
  /** Parts of kind `customHeaders` bound to the domain. */
  customHeaders: z.array(Hash).max(100),
})
export type ArtefactDomain = z.output<typeof ArtefactDomain>

/** An artefact of the current schema. */
export const Artefact = z.object({
  schema: z.literal(schemaCurrent),
  site: z.number().int(),
  revision: z.number().int(),
  domains: z
    .array(ArtefactDomain)
    .max(10_000)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'a name stands twice'),
  parts: z.object({ settings: Hash, firewall: Hash, cache: Hash }),
  /** Binary lists that the firewall part refers to (see `ip-set.ts`). */
  lists: z.array(Hash).max(1000),
  secrets: z.object({ originCredential: SecretRef.optional() }),
  /** Networks in which this site's origins may stand although they are private: the operator's exceptions, as CIDRs. */
  allowOrigins: z.array(Cidr).max(1000),
})
export type Artefact = z.output<typeof Artefact>

/** The part of kind `settings`: single settings of a site. */
export const SettingsPart = z.object({
  kind: z.literal('settings'),
  /** The header that carries the origin credential. */
  originCredentialHeader: HeaderName.optional(),
  /** Bytes of a request body; 0 for no limit. */
  bodyBytesMax: z.number().int().nonnegative(),
  /** Milliseconds to connect to an origin, and between two reads of it. */
  originConnectTimeoutMs: Wait,
  originReadTimeoutMs: Wait,
  /** Addresses in front of the edge whose X-Forwarded-For is believed, as CIDRs. */
  trustedProxies: z.array(Cidr).max(1000),
})
export type SettingsPart = z.output<typeof SettingsPart>

const Mode = z.enum(['enforce', 'observe'])
/** Epoch seconds at which a rule stops; absent for never. */
const Expiry = z.number().int().nonnegative().optional()

export const EdgeRateRule = z.object({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  rate: z.number().positive().max(1_000_000),
  burst: z.number().nonnegative().max(1_000_000),
  blockType: z.number().int().min(1).max(5),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeRateRule = z.output<typeof EdgeRateRule>

export const EdgeIpRule = z.object({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  /** Empty for every method. */
  methods: z.array(z.string()),
  /** The canonical text of a short list … */
  ips: z.array(Cidr).optional(),
  /** … or the binary part of a long one. Exactly one of the two. */
  list: Hash.optional(),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeIpRule = z.output<typeof EdgeIpRule>

export const EdgeBodyRule = z.object({
  id: z.number().int(),
  urlRegex: EdgeRegex,
  methods: z.array(z.string()),
  contains: z.string(),
  oversize: z.enum(['block', 'pass']),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeBodyRule = z.output<typeof EdgeBodyRule>

/** More than any limit of the product, and far less than a node could choke on. */
const rulesMax = 10_000
const IpRules = distinct(
  EdgeIpRule.refine(({ ips, list }) => (ips === undefined) !== (list === undefined), 'needs either ips or a list'),
  rulesMax,
)

/** The part of kind `firewall`. Every list is sorted in the order in which it is asked; disabled rules are left out. */
export const FirewallPart = z.object({
  kind: z.literal('firewall'),
  allowRules: IpRules,
  denyRules: IpRules,
  rateRules: distinct(EdgeRateRule, rulesMax),
  bodyRules: distinct(EdgeBodyRule, rulesMax),
})
export type FirewallPart = z.output<typeof FirewallPart>

export const EdgeCacheRule = z.object({
  id: z.number().int(),
  /** Path prefixes, tried first; then extensions without a dot, lower case. One of the two is filled. */
  prefixes: z.array(z.string()),
  extensions: z.array(z.string()),
  /** Seconds; 0 means do not store. */
  ttl: z.number().int().min(0).max(31_536_000),
  ignoreQuery: z.boolean(),
})
export type EdgeCacheRule = z.output<typeof EdgeCacheRule>

/** The part of kind `cache`. */
export const CachePart = z.object({ kind: z.literal('cache'), rules: distinct(EdgeCacheRule, rulesMax) })
export type CachePart = z.output<typeof CachePart>

export const EdgeHeader = z.object({
  id: z.number().int(),
  /** `response` changes what the visitor gets, `request` what the origin gets. */
  type: z.enum(['response', 'request']),
  key: HeaderName,
  /** Empty removes the header. */
  value: HeaderValue,
})
export type EdgeHeader = z.output<typeof EdgeHeader>

/** The part of kind `customHeaders`: one module, shared by every domain that is bound to it. */
export const CustomHeadersPart = z.object({
  kind: z.literal('customHeaders'),
  module: z.number().int(),
  headers: distinct(EdgeHeader, rulesMax),
})
export type CustomHeadersPart = z.output<typeof CustomHeadersPart>

export const Part = z.discriminatedUnion('kind', [SettingsPart, FirewallPart, CachePart, CustomHeadersPart])
export type Part = z.output<typeof Part>
