/**
 * A site ready to serve: everything is derived once, so that a request parses nothing. Each worker holds ten thousand
 * of them, so what a site has for itself is small, and what a cache hit needs of it is stored close together.
 */
import type { Artefact, ArtefactDomain, CertificateRef } from '@breakwater/contract/edge/artefact.ts'
import { isReservedHeader } from '@breakwater/contract/edge/header-names.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import type { BandwidthLimit } from '../delivery/bandwidth.ts'
import { type CacheRules, compileCacheRules } from '../delivery/cache-rules.ts'
import {
  type Compression,
  type CompressionPlaces,
  compileCompression,
  compressionPlaces,
} from '../delivery/compression.ts'
import type { ErrorPages } from '../delivery/error-pages.ts'
import { type OriginCertificate, originCertificateOf } from '../domains/origin-certificate.ts'
import { compileOriginTls, type OriginTls } from '../domains/origin-tls.ts'
import { compileOrigins, type Origins } from '../domains/origins.ts'
import type { Responses } from '../firewall/waf/responses.ts'
import { attackThresholdOf, banSecondsOf, type Steps } from '../guards/guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'
import type { Backslashes } from '../lib/backslashes.ts'
import type { CompileTools } from '../lib/guard.ts'
import type { AuthRules } from '../modules/authentication.ts'
import type { Cors } from '../modules/cors.ts'
import type { Redirects } from '../modules/redirects.ts'
import type { Rewrites } from '../modules/rewrites.ts'
import type { TokenAuths } from '../modules/token-auth.ts'

type Kind<K extends Part['kind']> = Extract<Part, { kind: K }>

export type HeaderChange = { name: string; value: string }

/** Header changes in responses to the visitor, and in requests to the origin. */
export type HeaderChanges = { response: HeaderChange[] | undefined; request: HeaderChange[] | undefined }

export type CompiledDomain = {
  origins: Origins
  /** Origins for visitors over TLS, if a port map makes them different. */
  tlsOrigins: Origins | undefined
  /** The Host header for origins, if it is not the visitor's. */
  originHost: string | undefined
  headers: HeaderChanges
  /** The site's guards combined with the domain's own. */
  steps: Steps
  redirects: Redirects | undefined
  /** Absent if there are none: TLS handshakes then fail. */
  certificates: readonly CertificateRef[] | undefined
  /** Whether plain HTTP is answered with a redirect to HTTPS. */
  forceSsl: boolean
  /** Answers ACME challenges; absent if the origin gets them. */
  acme: string | undefined
  /** Absent if the origin's own CORS headers are passed on. */
  cors: Cors | undefined
  /** Absent if origins get the URL that visitors request. */
  rewrites: Rewrites | undefined
  /** Absent if no URLs are signed. */
  tokens: TokenAuths | undefined
  /** Absent if no authentication is required. */
  auth: AuthRules | undefined
  /** Absent if answers from origins are not inspected. */
  responses: Responses | undefined
}

export type CompiledSettings = {
  /** Absent if no proxy in front of the edge is trusted. */
  trustedProxies: RangeSet | undefined
  bodyBytesMax: number
  /** What happens if origins may read a path in several ways: `match` checks rules against each reading. */
  ambiguousPaths: 'match' | 'refuse' | 'pass'
  /** Seconds. */
  connectTimeout: number
  firstByteTimeout: number
  idleTimeout: number
  websocketIdleTimeout: number
  credentialHeader: string | undefined
  /** Absent if nothing is compressed. */
  compression: Compression | undefined
  places: CompressionPlaces
  /** Request headers that are part of the cache key, lower case; absent for none. */
  keyedHeaders: readonly string[] | undefined
  backslashes: Backslashes
  tlsProfile: 'modern' | 'default' | 'wide'
  hasHttp2: boolean
  hasHttp3: boolean
  /** The Strict-Transport-Security header over TLS; absent for none. */
  hsts: string | undefined
  /** Ports of the zone on which the site answers, in nginx's form; absent for none. */
  ports: Record<string, true> | undefined
  hasWebsockets: boolean
  /** Whether gRPC calls are passed to origins as gRPC. */
  hasGrpc: boolean
  /** Who gets the cache status of a request; absent for nobody. */
  cacheStatus: { networks: RangeSet | undefined } | undefined
  /** How origins are verified. */
  originTls: OriginTls
  /** The Host header for origins, if it is not the visitor's. */
  originHost: string | undefined
  /** PEM of the client certificate for origins; absent for none. */
  originCertificate: string | undefined
  /** Absent if there are no active health checks. */
  originCheck: Kind<'settings'>['originCheck']
  /** Whether a time is set from which the site is closed. */
  isClosing: boolean
}

export type CompiledCache = { rules: CacheRules | undefined }

/** What a site shares with other sites that have the same parts. */
export type CompiledParts = {
  settings: CompiledSettings
  steps: Steps
  /** The guards of a domain, if it has guards of its own. */
  stepsOf: (this: void, domain: ArtefactDomain) => Steps | undefined
  cache: CompiledCache
  errorPages: ErrorPages | undefined
  bandwidth: BandwidthLimit[] | undefined
  /** Networks that the operator allows as origins by exception. */
  allowed: RangeSet
  /** By domain. */
  headersOf: (this: void, domain: ArtefactDomain) => HeaderChanges
  redirectsOf: (this: void, domain: ArtefactDomain) => Redirects | undefined
  responsesOf: (this: void, domain: ArtefactDomain) => Responses | undefined
  corsOf: (this: void, domain: ArtefactDomain) => Cors | undefined
  tokensOf: (this: void, domain: ArtefactDomain) => TokenAuths | undefined
  authOf: (this: void, domain: ArtefactDomain) => AuthRules | undefined
  rewritesOf: (this: void, domain: ArtefactDomain) => Rewrites | undefined
}

export type CompiledSite = {
  site: number
  revision: number
  /** As they appear in the log row. */
  siteText: string
  revisionText: string
  /** The size of the files read for it: roughly its weight in memory. */
  bytes: number
  steps: Steps
  /** For how long an address with repeated refusals is banned; absent if none is. */
  banSeconds: number | undefined
  /** Requests per second above which an attack is assumed, 0 for more than usual; absent if traffic decides nothing. */
  attackThreshold: number | undefined
  settings: CompiledSettings
  cache: CompiledCache
  domains: Record<string, CompiledDomain>
  /** Absent if the edge's own pages are used. */
  errorPages: ErrorPages | undefined
  /** In the order in which they are checked; absent for none. */
  bandwidth: BandwidthLimit[] | undefined
  credentialRef: string | undefined
  /** The client certificate for origins; absent for none. */
  originCertificate: OriginCertificate | undefined
}

/** The domain of a site that serves a host: the exact name, or else the nearest wildcard. */
export function domainFor({ domains }: CompiledSite, host: string): CompiledDomain | undefined {
  let found = domains[host]
  for (let dot = host.indexOf('.'); found === undefined && dot >= 0; dot = host.indexOf('.', dot + 1))
    found = domains[`*${host.substring(dot)}`]
  return found
}

/** The guards for a host of a site: those of its domain, or the site's if it has no such domain. */
export const stepsFor = (site: CompiledSite, host: string): Steps => domainFor(site, host)?.steps ?? site.steps

/** Assembles a site. Throws with a reason if something cannot be compiled. */
export function compileSite(artefact: Artefact, parts: CompiledParts): CompiledSite {
  const domains: Record<string, CompiledDomain> = {}
  const isChecked = parts.settings.originCheck !== undefined
  for (const domain of artefact.domains) {
    domains[domain.name] = {
      origins: compileOrigins(domain, parts.allowed, isChecked, domain.ports?.http),
      tlsOrigins:
        domain.ports === undefined ? undefined : compileOrigins(domain, parts.allowed, isChecked, domain.ports.https),
      originHost: domain.originHost,
      headers: parts.headersOf(domain),
      steps: parts.stepsOf(domain) ?? parts.steps,
      redirects: parts.redirectsOf(domain),
      certificates: domain.certificates,
      forceSsl: domain.forceSsl === true,
      acme: domain.acme,
      cors: parts.corsOf(domain),
      rewrites: parts.rewritesOf(domain),
      tokens: parts.tokensOf(domain),
      auth: parts.authOf(domain),
      responses: parts.responsesOf(domain),
    }
  }
  return {
    site: artefact.site,
    revision: artefact.revision,
    siteText: `${artefact.site}`,
    revisionText: `${artefact.revision}`,
    bytes: 0,
    steps: parts.steps,
    banSeconds: banSecondsOf(parts.steps),
    attackThreshold: attackThresholdOf(parts.steps),
    settings: parts.settings,
    cache: parts.cache,
    domains,
    errorPages: parts.errorPages,
    bandwidth: parts.bandwidth,
    credentialRef: artefact.secrets.originCredential,
    originCertificate: originCertificateOf(artefact, parts.settings.originCertificate),
  }
}

export function compileSettings(settings: Kind<'settings'>): CompiledSettings {
  return {
    trustedProxies: rangesOf(settings.trustedProxies),
    bodyBytesMax: settings.bodyBytesMax,
    ambiguousPaths: settings.ambiguousPaths ?? 'match',
    connectTimeout: settings.originConnectTimeoutMs / 1000,
    firstByteTimeout: settings.originFirstByteTimeoutMs / 1000,
    idleTimeout: settings.originIdleTimeoutMs / 1000,
    websocketIdleTimeout: settings.websocketIdleTimeoutMs / 1000,
    credentialHeader: usableHeader(settings.originCredentialHeader),
    keyedHeaders: keyedHeaders(settings.keyedHeaders),
    compression: compileCompression(settings.compression),
    places: compressionPlaces(settings.compression),
    backslashes: settings.backslashes ?? 'refuse',
    tlsProfile: settings.tlsProfile ?? 'default',
    hasHttp2: settings.http2 !== false,
    hasHttp3: settings.http3 !== false,
    hsts: settings.hsts,
    ports: portSet(settings.ports),
    hasWebsockets: settings.websocket !== false,
    hasGrpc: settings.grpc === true,
    cacheStatus: settings.cacheStatus === undefined ? undefined : { networks: rangesOf(settings.cacheStatus.networks) },
    originTls: compileOriginTls(settings.originTls),
    originHost: settings.originHost,
    originCheck: settings.originCheck,
    originCertificate: settings.originCertificate,
    isClosing: settings.closed !== undefined,
  }
}

/** Returns undefined for an empty list. */
const rangesOf = (networks: readonly string[]): RangeSet | undefined =>
  networks.length === 0 ? undefined : rangeSet(networks)

function portSet(ports: readonly number[] | undefined): Record<string, true> | undefined {
  if (ports === undefined || ports.length === 0) return undefined
  const set: Record<string, true> = {}
  for (const port of ports) set[`${port}`] = true
  return set
}

const usableHeader = (name: string | undefined): string | undefined =>
  name === undefined || isReservedHeader(name) ? undefined : name

function keyedHeaders(names: readonly string[] | undefined): readonly string[] | undefined {
  return names === undefined || names.length === 0 ? undefined : names.map((name) => name.toLowerCase())
}

export function compileCache(cache: Kind<'cache'>, tools: CompileTools): CompiledCache {
  return { rules: compileCacheRules(cache.rules, tools) }
}

/** The header changes of several modules, in order. */
export function compileHeaders(modules: Kind<'customHeaders'>[]): HeaderChanges {
  const response: HeaderChange[] = []
  const request: HeaderChange[] = []
  for (const { headers } of modules) {
    for (const header of headers) {
      // The control plane rejects these names. A node does not rely on that, because its loop protection is one of
      // them.
      if (isReservedHeader(header.key)) continue
      const list = header.type === 'response' ? response : request
      list.push({ name: header.key, value: header.value })
    }
  }
  return {
    response: response.length === 0 ? undefined : response,
    request: request.length === 0 ? undefined : request,
  }
}
