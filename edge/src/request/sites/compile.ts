/**
 * A site ready to serve: everything derived once, so that a request parses nothing. There are ten thousand of them in
 * each worker: what a site has for itself is small, and what a hit needs of it stands close together.
 */
import type { Artefact, ArtefactDomain, Part } from '@breakwater/contract/edge/artefact.ts'
import { type CacheRules, compileCacheRules } from '../delivery/cache-rules.ts'
import { compileOrigins, type Origins } from '../domains/origins.ts'
import type { Step } from '../guards.ts'
import { type RangeSet, rangeSet } from '../lib/address.ts'

type Kind<K extends Part['kind']> = Extract<Part, { kind: K }>

export type HeaderChange = { name: string; value: string }

/** Changes of what the visitor gets, and of what the origin gets. */
export type HeaderChanges = { response: HeaderChange[] | undefined; request: HeaderChange[] | undefined }

export type CompiledDomain = {
  origins: Origins
  /** The Host that origins get, where it is not the visitor's. */
  originHost: string | undefined
  headers: HeaderChanges
}

export type CompiledSettings = {
  /** Absent where nobody in front of the edge is believed. */
  trustedProxies: RangeSet | undefined
  bodyBytesMax: number
  /** Seconds. */
  connectTimeout: number
  readTimeout: number
  credentialHeader: string | undefined
}

export type CompiledCache = { rules: CacheRules | undefined }

/** What a site shares with those that have the same parts. */
export type CompiledParts = {
  settings: CompiledSettings
  steps: Step[]
  cache: CompiledCache
  /** The networks of the operator's exceptions. */
  allowed: RangeSet
  /** By domain. */
  headersOf: (this: void, domain: ArtefactDomain) => HeaderChanges
}

export type CompiledSite = {
  site: number
  revision: number
  /** Of the files that were read for it: what it roughly weighs. */
  bytes: number
  steps: Step[]
  settings: CompiledSettings
  cache: CompiledCache
  domains: Record<string, CompiledDomain>
  credentialRef: string | undefined
}

/** Puts a site together. Throws with a reason where something cannot be compiled. */
export function compileSite(artefact: Artefact, parts: CompiledParts): CompiledSite {
  const domains: Record<string, CompiledDomain> = {}
  for (const domain of artefact.domains) {
    domains[domain.name] = {
      origins: compileOrigins(domain, parts.allowed),
      originHost: domain.originHost,
      headers: parts.headersOf(domain),
    }
  }
  return {
    site: artefact.site,
    revision: artefact.revision,
    bytes: 0,
    steps: parts.steps,
    settings: parts.settings,
    cache: parts.cache,
    domains,
    credentialRef: artefact.secrets.originCredential,
  }
}

export function compileSettings(settings: Kind<'settings'>): CompiledSettings {
  return {
    trustedProxies: settings.trustedProxies.length === 0 ? undefined : rangeSet(settings.trustedProxies),
    bodyBytesMax: settings.bodyBytesMax,
    connectTimeout: settings.originConnectTimeoutMs / 1000,
    readTimeout: settings.originReadTimeoutMs / 1000,
    credentialHeader: settings.originCredentialHeader,
  }
}

export function compileCache(cache: Kind<'cache'>): CompiledCache {
  return { rules: compileCacheRules(cache.rules) }
}

/** The changes of several modules, in their order. */
export function compileHeaders(modules: Kind<'customHeaders'>[]): HeaderChanges {
  const response: HeaderChange[] = []
  const request: HeaderChange[] = []
  for (const { headers } of modules) {
    for (const header of headers) {
      const list = header.type === 'response' ? response : request
      list.push({ name: header.key, value: header.value })
    }
  }
  return {
    response: response.length === 0 ? undefined : response,
    request: request.length === 0 ? undefined : request,
  }
}
