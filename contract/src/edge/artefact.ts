/**
 * What a node gets for a site. An artefact is small: it points to parts by content hash. A part is stored and sent
 * once, however many sites use it. Both are immutable files named by the SHA-256 of their bytes.
 */
import { z } from 'zod'
import { Cidr } from '../firewall/edge-rule-fields.ts'
import { Hash } from '../hash.ts'
import { HostName, HostPattern } from './host-name.ts'
import { SecretRef } from './secret-ref.ts'

/** The schema version that this code writes and reads. Later additions are declared in `requires` (`features.ts`). */
export const schemaCurrent = 2

/** The most bytes of an object: one site's mistake must not fill what all sites share. */
export const objectBytesMax = 8_000_000

const OriginPort = z.number().int().min(1).max(65535)

export const OriginTarget = z.object({
  id: z.number().int(),
  /** An IP address, or a host name that the node resolves. */
  host: z
    .string()
    .max(253)
    .regex(/^[A-Za-z0-9.:_-]+$/),
  port: OriginPort,
  weight: z.number().int().min(1).max(100),
  backup: z.boolean(),
  tls: z.boolean(),
})
export type OriginTarget = z.output<typeof OriginTarget>

/** A certificate that a domain may present: its chain (a part of kind `certificate`) and its key. */
export const CertificateRef = z.strictObject({
  chain: Hash,
  key: SecretRef,
  algorithm: z.enum(['ecdsa', 'rsa']),
  /** Whether it was ordered automatically. An uploaded one takes precedence while it is valid. */
  isAutomatic: z.boolean(),
  /** Epoch seconds. */
  notAfter: z.number().int(),
})
export type CertificateRef = z.output<typeof CertificateRef>

export const ArtefactDomain = z.object({
  id: z.number().int(),
  /** ASCII, lower case; may begin with `*.`. */
  name: HostPattern,
  origins: z.array(OriginTarget).max(1000),
  balance: z.enum(['roundRobin', 'ipHash', 'leastConnections', 'urlHash', 'random']),
  /** The Host that origins get, if it is not the visitor's: a preview host stands in for the site's first domain. */
  originHost: HostName.optional(),
  /** Parts of kind `customHeaders` bound to the domain. */
  customHeaders: z.array(Hash).max(100),
  /** The domain's own part of kind `firewall`: each guard evaluates its rules after the site's. */
  firewall: Hash.optional(),
  /** Parts of kind `urlRedirects` bound to the domain; absent for none. */
  urlRedirects: z.array(Hash).max(100).optional(),
  /** Uploaded ones first; absent for none, in which case TLS handshakes fail. */
  certificates: z.array(CertificateRef).min(1).max(4).optional(),
  /** Whether plain HTTP is redirected to HTTPS. Absent for false. */
  forceSsl: z.boolean().optional(),
  /** The thumbprint for answering every HTTP-01 challenge (RFC 8555, 8.3). Absent if the origin gets them. */
  acme: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .optional(),
  /** The port of every origin instead of its own, for visitors over plain HTTP and over TLS. */
  ports: z.object({ http: OriginPort.optional(), https: OriginPort.optional() }).optional(),
  /** The part of kind `cors` bound to the domain; absent if the origin's responses pass unchanged. */
  cors: Hash.optional(),
  /** The part of kind `proxyRewrites` bound to the domain; absent if requests reach origins with the visitor's URL. */
  proxyRewrites: Hash.optional(),
  /** The part of kind `tokenAuths` bound to the domain; absent if URLs are not signed. */
  tokenAuths: Hash.optional(),
  /** The part of kind `waf` bound to the domain; absent if the WAF is not used. */
  waf: Hash.optional(),
  /** The part of kind `luaAcls` bound to the domain; absent for none. */
  luaAcls: Hash.optional(),
  /** The part of kind `authRules` of the domain; absent if no authentication is required. */
  authRules: Hash.optional(),
})
export type ArtefactDomain = z.output<typeof ArtefactDomain>

/** An artefact of the current schema. */
export const Artefact = z.object({
  schema: z.literal(schemaCurrent),
  site: z.number().int(),
  revision: z.number().int(),
  /** Features without which a node must not serve this artefact (`features.ts`). */
  requires: z.array(z.string().max(64)).max(100),
  domains: z
    .array(ArtefactDomain)
    .max(10_000)
    .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'a name stands twice'),
  parts: z.object({
    ...{ settings: Hash, firewall: Hash, cache: Hash },
    /** Absent for none. */
    bandwidth: Hash.optional(),
    /** The rule set of the WAF, if a domain is bound to a WAF module. */
    wafRules: Hash.optional(),
    /** Also of kind `wafRules`: the rules for responses. */
    wafResponses: Hash.optional(),
    /** What the site's API shield compares requests with; absent if it compares nothing. */
    apiShield: Hash.optional(),
  }),
  /** Binary lists that the firewall parts refer to (see `ip-set.ts`). */
  lists: z.array(Hash).max(1000),
  /** Parts of kind `errorPages`: the site's own before its operator's. Absent for none. */
  errorPages: z.array(Hash).max(2).optional(),
  secrets: z.object({
    originCredential: SecretRef.optional(),
    /** The key of the client certificate presented to origins. */
    originCertificate: SecretRef.optional(),
    /** The keys of the token auth modules that domains are bound to. */
    tokenAuths: z.array(SecretRef).max(1000).optional(),
    /** The credentials of the authentication groups that rules name. */
    authGroups: z.array(SecretRef).max(1000).optional(),
  }),
  /** Networks in which this site's origins may be although they are private: the operator's exceptions, as CIDRs. */
  allowOrigins: z.array(Cidr).max(1000),
})
export type Artefact = z.output<typeof Artefact>
