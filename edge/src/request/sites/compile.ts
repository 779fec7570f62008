/** A site ready to serve: everything derived once, so that a request parses nothing. */
import type { ArtefactDomain } from '@breakwater/contract/edge/artefact.ts'
import { type CacheRules, compileCacheRules } from '../delivery/cache-rules.ts'
import { compileOrigins, type Origins } from '../domains/origins.ts'
import type { SiteSource } from '../guard.ts'
import type { Step } from '../guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'

export type HeaderChange = { name: string; value: string }

export type CompiledDomain = {
  id: number
  origins: Origins
  /** The Host that origins get, where it is not the visitor's. */
  originHost: string | undefined
  /** Changes of what the visitor gets, and of what the origin gets. */
  responseHeaders: HeaderChange[] | undefined
  requestHeaders: HeaderChange[] | undefined
}

export type CompiledSite = {
  site: number
  revision: number
  hash: string
  bytes: number
  steps: Step[]
  domains: Record<string, CompiledDomain>
  /** Absent where nobody in front of the edge is believed. */
  trustedProxies: RangeSet | undefined
  bodyBytesMax: number
  connectTimeout: number
  readTimeout: number
  cacheRules: CacheRules | undefined
  credentialHeader: string | undefined
  credentialRef: string | undefined
}

/** A site with its guards, which others may share. Throws with a reason where something cannot be compiled. */
export function compileSite(source: SiteSource, steps: Step[]): CompiledSite {
  const { artefact, settings } = source
  const domains: Record<string, CompiledDomain> = {}
  for (const domain of artefact.domains) domains[domain.name] = compileDomain(domain, source)
  return {
    site: artefact.site,
    revision: artefact.revision,
    hash: source.hash,
    bytes: source.bytes,
    steps,
    domains,
    trustedProxies: settings.trustedProxies.length === 0 ? undefined : rangeSet(settings.trustedProxies),
    bodyBytesMax: settings.bodyBytesMax,
    connectTimeout: settings.originConnectTimeoutMs / 1000,
    readTimeout: settings.originReadTimeoutMs / 1000,
    cacheRules: compileCacheRules(source.cache.rules),
    credentialHeader: settings.originCredentialHeader,
    credentialRef: artefact.secrets.originCredential,
  }
}

function compileDomain(domain: ArtefactDomain, source: SiteSource): CompiledDomain {
  const response: HeaderChange[] = []
  const request: HeaderChange[] = []
  for (const hash of domain.customHeaders) {
    for (const header of source.headers[hash]!.headers) {
      const list = header.type === 'response' ? response : request
      list.push({ name: header.key, value: header.value })
    }
  }
  return {
    id: domain.id,
    originHost: domain.originHost,
    origins: compileOrigins(domain, rangeSet(source.artefact.allowOrigins)),
    responseHeaders: response.length === 0 ? undefined : response,
    requestHeaders: request.length === 0 ? undefined : request,
  }
}
