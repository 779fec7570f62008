/**
 * What a node is told about a site. An artefact is small: pointers to parts by content hash. A part is stored and sent
 * once, however many sites use it. Both are immutable files named by the SHA-256 of their bytes (DESIGN §4).
 */
import { z } from 'zod'

/** The schema this code writes, and the one before it that older agents still speak. */
export const schemaCurrent = 2
export const schemaBefore = 1
export type SchemaVersion = typeof schemaCurrent | typeof schemaBefore

/** Lower-case hexadecimal SHA-256. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/)
export type Hash = z.output<typeof Hash>

/** `originCredential@3`: a secret by name and version. The value travels apart, sealed to the node. */
export const SecretRef = z.string().regex(/^[a-z][A-Za-z0-9-]{0,63}@[1-9]\d{0,8}$/)

export const OriginTarget = z.object({
  id: z.number().int(),
  /** An IP address, or a host name that the node resolves. */
  host: z.string(),
  port: z.number().int().min(1).max(65535),
  weight: z.number().int().min(1).max(100),
  backup: z.boolean(),
  tls: z.boolean(),
})
export type OriginTarget = z.output<typeof OriginTarget>

export const ArtefactDomain = z.object({
  id: z.number().int(),
  /** ASCII, lower case; may begin with `*.`. */
  name: z.string(),
  origins: z.array(OriginTarget),
  balance: z.enum(['roundRobin', 'ipHash', 'leastConnections', 'urlHash']),
  /** The Host that origins get, where it is not the visitor's: a preview host stands for the site's first domain. */
  originHost: z.string().optional(),
  /** Parts of kind `customHeaders` bound to the domain. */
  customHeaders: z.array(Hash),
})
export type ArtefactDomain = z.output<typeof ArtefactDomain>

/** An artefact of the current schema. */
export const Artefact = z.object({
  schema: z.literal(schemaCurrent),
  site: z.number().int(),
  revision: z.number().int(),
  domains: z.array(ArtefactDomain),
  parts: z.object({ settings: Hash, firewall: Hash, cache: Hash }),
  /** Binary lists that the firewall part refers to (see `ip-set.ts`). */
  lists: z.array(Hash),
  secrets: z.object({ originCredential: SecretRef.optional() }),
  /** Networks in which this site's origins may stand although they are private: the operator's exceptions, as CIDRs. */
  allowOrigins: z.array(z.string()),
})
export type Artefact = z.output<typeof Artefact>

/** The part of kind `settings`: single settings of a site. */
export const SettingsPart = z.object({
  kind: z.literal('settings'),
  /** The header that carries the origin credential. */
  originCredentialHeader: z.string().optional(),
  /** Bytes of a request body; 0 for no limit. */
  bodyBytesMax: z.number().int(),
  /** Milliseconds to connect to an origin, and between two reads of it. */
  originConnectTimeoutMs: z.number().int(),
  originReadTimeoutMs: z.number().int(),
  /** Addresses in front of the edge whose X-Forwarded-For is believed, as CIDRs. */
  trustedProxies: z.array(z.string()),
})
export type SettingsPart = z.output<typeof SettingsPart>

const Mode = z.enum(['enforce', 'observe'])
/** Epoch seconds at which a rule stops; absent for never. */
const Expiry = z.number().int().optional()

export const EdgeRateRule = z.object({
  id: z.number().int(),
  urlRegex: z.string(),
  rate: z.number(),
  burst: z.number(),
  blockType: z.number().int().min(1).max(5),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeRateRule = z.output<typeof EdgeRateRule>

export const EdgeIpRule = z.object({
  id: z.number().int(),
  /** Empty for every URL. */
  urlRegex: z.string(),
  /** Empty for every method. */
  methods: z.array(z.string()),
  /** The canonical text of a short list … */
  ips: z.array(z.string()).optional(),
  /** … or the binary part of a long one. Exactly one of the two. */
  list: Hash.optional(),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeIpRule = z.output<typeof EdgeIpRule>

export const EdgeBodyRule = z.object({
  id: z.number().int(),
  urlRegex: z.string(),
  methods: z.array(z.string()),
  contains: z.string(),
  oversize: z.enum(['block', 'pass']),
  mode: Mode,
  expiresAt: Expiry,
})
export type EdgeBodyRule = z.output<typeof EdgeBodyRule>

/** The part of kind `firewall`. Every list is sorted in the order in which it is asked; disabled rules are left out. */
export const FirewallPart = z.object({
  kind: z.literal('firewall'),
  allowRules: z.array(EdgeIpRule),
  denyRules: z.array(EdgeIpRule),
  rateRules: z.array(EdgeRateRule),
  bodyRules: z.array(EdgeBodyRule),
})
export type FirewallPart = z.output<typeof FirewallPart>

export const EdgeCacheRule = z.object({
  id: z.number().int(),
  /** Path prefixes, tried first; then extensions without a dot, lower case. One of the two is filled. */
  prefixes: z.array(z.string()),
  extensions: z.array(z.string()),
  /** Seconds; 0 means do not store. */
  ttl: z.number().int(),
  ignoreQuery: z.boolean(),
})
export type EdgeCacheRule = z.output<typeof EdgeCacheRule>

/** The part of kind `cache`. */
export const CachePart = z.object({ kind: z.literal('cache'), rules: z.array(EdgeCacheRule) })
export type CachePart = z.output<typeof CachePart>

export const EdgeHeader = z.object({
  id: z.number().int(),
  /** `response` changes what the visitor gets, `request` what the origin gets. */
  type: z.enum(['response', 'request']),
  key: z.string(),
  /** Empty removes the header. */
  value: z.string(),
})
export type EdgeHeader = z.output<typeof EdgeHeader>

/** The part of kind `customHeaders`: one module, shared by every domain that is bound to it. */
export const CustomHeadersPart = z.object({
  kind: z.literal('customHeaders'),
  module: z.number().int(),
  headers: z.array(EdgeHeader),
})
export type CustomHeadersPart = z.output<typeof CustomHeadersPart>

export const Part = z.discriminatedUnion('kind', [SettingsPart, FirewallPart, CachePart, CustomHeadersPart])
export type Part = z.output<typeof Part>
