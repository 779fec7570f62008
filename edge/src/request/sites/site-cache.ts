/**
 * The sites of this worker: compiled on first use, and kept while in use. One lookup in shared memory per request tells
 * whether anything changed.
 */

import type { PurgeState } from '../delivery/cache-key.ts'
import { purgeStateOf } from '../delivery/purges.ts'
import type { Steps } from '../guards/guards.ts'
import * as siteIndex from '../memory/site-index.ts'
import { messageOf, raise } from '../nginx/raise.ts'
import { refreshReputation } from '../nginx/reputation.ts'
import type { CompiledDomain, CompiledSite, HeaderChange } from './compile.ts'
import { refreshConfiguration } from './configuration.ts'
import { readSite } from './read-site.ts'

/** What a host resolves to. */
export type HostEntry = {
  site: CompiledSite
  domain: CompiledDomain
  purges: PurgeState
  /** The domain's, kept here because every answer needs them. */
  responseHeaders: HeaderChange[] | undefined
  steps: Steps
}

const hostsMax = 50_000
/** Bytes of source for the younger half of the compiled sites; in memory they take about three times as much. */
const bytesMax = 32_000_000

let seenGeneration = -1
let seenDrops = -1
let weight = 1
let hosts: Record<string, HostEntry | 'none'> = {}
let hostCount = 0

/** Compiled sites by artefact hash: used ones move to the young half, unused ones go with the old half. */
let young: Record<string, CompiledSite> = {}
let old: Record<string, CompiledSite> = {}
let youngBytes = 0

/** The artefact with which this worker last served a site: dropped as soon as the next one is used. */
const served: Record<number, string> = {}

/** The compiled form of an artefact, whether or not the site index refers to it. Throws if it is broken. */
export function compiledSite(hash: string): CompiledSite {
  const known = young[hash]
  if (known !== undefined) return known
  return keep(hash, old[hash] ?? readSite(hash))
}

/** The same, re-read from disk even if this worker already has it. */
export function recompiledSite(hash: string): CompiledSite {
  const site = readSite(hash)
  forget(hash)
  return keep(hash, site)
}

function keep(hash: string, site: CompiledSite): CompiledSite {
  if (youngBytes > bytesMax) {
    old = young
    young = {}
    youngBytes = 0
    forgetHosts()
  }
  young[hash] = site
  youngBytes += site.bytes
  return site
}

function forgetHosts(): void {
  hosts = {}
  hostCount = 0
}

function forget(hash: string): void {
  const site = young[hash]
  if (site !== undefined) youngBytes -= site.bytes
  delete young[hash]
  delete old[hash]
}

/** Drops whatever the site index no longer refers to: keys and settings of a site that was removed. */
function sweep(): void {
  for (const half of [young, old]) {
    for (const hash in half) {
      const { site } = half[hash]!
      if (siteIndex.hashOf(site) === hash) continue
      if (served[site] === hash) delete served[site]
      forget(hash)
    }
  }
}

function refresh(generation: number): void {
  forgetHosts()
  weight = siteIndex.sampling()
  refreshConfiguration()
  refreshReputation()
  const dropped = siteIndex.drops()
  if (dropped !== seenDrops) sweep()
  seenDrops = dropped
  seenGeneration = generation
}

/** One in this many requests is logged. Valid after `hostEntry`. */
export function rowWeight(): number {
  return weight
}

/** Makes this worker check for changes, even without requests. */
export function lookAgain(): void {
  const generation = siteIndex.generation()
  if (generation !== seenGeneration) refresh(generation)
}

/** The site and domain of a canonical host. Returns undefined if this node serves none. */
export function hostEntry(host: string): HostEntry | undefined {
  lookAgain()
  const known = hosts[host]
  if (known !== undefined) return known === 'none' ? undefined : known
  const found = find(host)
  if (hostCount >= hostsMax) forgetHosts()
  hosts[host] = found ?? 'none'
  hostCount++
  return found
}

/** The site's current artefact, or else its previous one: an object on disk may get damaged after it was applied. */
function readable(site: number, hash: string): CompiledSite {
  const [ok, found] = pcall(() => compiledSite(hash))
  if (ok) {
    const before = served[site]
    if (before !== undefined && before !== hash) forget(before)
    served[site] = hash
    return found as CompiledSite
  }
  const reason = messageOf(found)
  siteIndex.noteBroken(site, reason)
  const before = siteIndex.previousHash(site)
  if (before === undefined) return raise(`site ${site} cannot be read: ${reason}`)
  ngx.log(ngx.ERR, 'site ', site, ' is served from its older artefact: ', reason)
  return compiledSite(before)
}

/** Tries the exact name first, then the wildcards above it, nearest first. */
function find(host: string): HostEntry | undefined {
  let name = host
  let site = siteIndex.siteOfHost(name)
  let dot = host.indexOf('.')
  while (site === undefined && dot >= 0) {
    name = `*${host.substring(dot)}`
    site = siteIndex.siteOfHost(name)
    dot = host.indexOf('.', dot + 1)
  }
  if (site === undefined) return undefined
  const hash = siteIndex.hashOf(site)
  if (hash === undefined) return undefined
  const ready = readable(site, hash)
  const domain = ready.domains[name]
  if (domain === undefined) return undefined
  return {
    site: ready,
    domain,
    purges: purgeStateOf(site),
    responseHeaders: domain.headers.response,
    steps: domain.steps,
  }
}
