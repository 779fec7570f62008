/**
 * A site ready to serve: everything derived once, so that a request parses nothing. There are ten thousand of them in
 * each worker: what a site has for itself is small, and what a hit needs of it stands close together.
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

/** Changes of what the visitor gets, and of what the origin gets. */
export type HeaderChanges = { response: HeaderChange[] | undefined; request: HeaderChange[] | undefined }

export type CompiledDomain = {
  origins: Origins
  /** For visitors over TLS, where a map of ports makes them others. */
  tlsOrigins: Origins | undefined
  /** The Host that origins get, where it is not the visitor's. */
  originHost: string | undefined
  headers: HeaderChanges
  /** The site's guards, and those of the domain's own. */
  steps: Steps
  redirects: Redirects | undefined
  /** Absent for none: its handshakes end. */
  certificates: readonly CertificateRef[] | undefined
  /** Whether plain HTTP is answered with a redirect to HTTPS. */
  forceSsl: boolean
  /** Answers challenges of certificate authorities; absent where the origin gets them. */
  acme: string | undefined
  /** Absent where the origin's own words about other origins pass. */
  cors: Cors | undefined
  /** Absent where origins are asked for what visitors ask. */
  rewrites: Rewrites | undefined
  /** Absent where nothing is signed. */
  tokens: TokenAuths | undefined
  /** Absent where nobody is asked who they are. */
  auth: AuthRules | undefined
  /** Absent where answers of origins are not looked at. */
  responses: Responses | undefined
}

export type CompiledSettings = {
  /** Absent where nobody in front of the edge is believed. */
  trustedProxies: RangeSet | undefined
  bodyBytesMax: number
  /** What happens to a path that origins may read in several ways: `match` asks rules about each reading. */
  ambiguousPaths: 'match' | 'refuse' | 'pass'
  /** Seconds. */
  connectTimeout: number
  firstByteTimeout: number
  idleTimeout: number
  websocketIdleTimeout: number
  credentialHeader: string | undefined
  /** Absent where nothing is compressed. */
  compression: Compression | undefined
  places: CompressionPlaces
  /** Request headers that are part of the cache key, lower case; absent for none. */
  keyedHeaders: readonly string[] | undefined
  backslashes: Backslashes
  tlsProfile: 'modern' | 'default' | 'wide'
  hasHttp2: boolean
  hasHttp3: boolean
  /** What browsers are told over TLS; absent for nothing. */
  hsts: string | undefined
  /** Ports of the zone on which the site answers, as nginx names them; absent for none. */
  ports: Record<string, true> | undefined
  hasWebsockets: boolean
  /** Whether gRPC calls reach origins as such. */
  hasGrpc: boolean
  /** Whom the edge tells what the cache made of a request; absent for nobody. */
  cacheStatus: { networks: RangeSet | undefined } | undefined
  /** How origins are verified. */
  originTls: OriginTls
  /** The Host that origins get, where it is not the visitor's. */
  originHost: string | undefined
  /** PEM of what origins are shown; absent for nothing. */
  originCertificate: string | undefined
  /** Absent where origins are known by requests alone. */
  originCheck: Kind<'settings'>['originCheck']
  /** Whether a time was set from which on the site is closed. */
  isClosing: boolean
}

export type CompiledCache = { rules: CacheRules | undefined }

/** What a site shares with those that have the same parts. */
export type CompiledParts = {
  settings: CompiledSettings
  steps: Steps
  /** Of a domain, where it has guards of its own. */
  stepsOf: (this: void, domain: ArtefactDomain) => Steps | undefined
  cache: CompiledCache
  errorPages: ErrorPages | undefined
  bandwidth: BandwidthLimit[] | undefined
  /** The networks of the operator's exceptions. */
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
  /** As the log row says them. */
  siteText: string
  revisionText: string
  /** Of the files that were read for it: what it roughly weighs. */
  bytes: number
  steps: Steps
  /** For how long an address is banned that keeps being refused; absent where none is. */
  banSeconds: number | undefined
  /** Requests a second above which an attack is taken to begin, 0 for more than is usual; absent where traffic decides nothing. */
  attackThreshold: number | undefined
  settings: CompiledSettings
  cache: CompiledCache
  domains: Record<string, CompiledDomain>
  /** Absent where the edge shows its own. */
  errorPages: ErrorPages | undefined
  /** In the order in which they are asked; absent for none. */
  bandwidth: BandwidthLimit[] | undefined
  credentialRef: string | undefined
  /** The certificate that origins are shown; absent for none. */
  originCertificate: OriginCertificate | undefined
}

/** The domain of a site for a host: that of its name, or of the nearest wildcard. */
export function domainFor({ domains }: CompiledSite, host: string): CompiledDomain | undefined {
  let found = domains[host]
  for (let dot = host.indexOf('.'); found === undefined && dot >= 0; dot = host.indexOf('.', dot + 1))
    found = domains[`*${host.substring(dot)}`]
  return found
}

/** The guards for a host of a site: those of its domain, or the site's where it has no such domain. */
export const stepsFor = (site: CompiledSite, host: string): Steps => domainFor(site, host)?.steps ?? site.steps

/** Puts a site together. Throws with a reason where something cannot be compiled. */
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

/** Nothing for none. */
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

/** The changes of several modules, in their order. */
export function compileHeaders(modules: Kind<'customHeaders'>[]): HeaderChanges {
  const response: HeaderChange[] = []
  const request: HeaderChange[] = []
  for (const { headers } of modules) {
    for (const header of headers) {
      // The control plane refuses these; a node does not rely on it, as its guard against loops is one of them.
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
