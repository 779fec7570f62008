/**
 * The sites of this worker: compiled when they are first asked for, kept while they are used. One look-up a request in
 * shared memory tells whether anything changed.
 */

import type { PurgeState } from '../delivery/cache-key.ts'
import { purgeStateOf } from '../delivery/purges.ts'
import type { Steps } from '../guards/guards.ts'
import * as siteIndex from '../memory/site-index.ts'
import { messageOf, raise } from '../nginx/protect.ts'
import { refreshReputation } from '../nginx/reputation.ts'
import type { CompiledDomain, CompiledSite, HeaderChange } from './compile.ts'
import { refreshConfiguration } from './configuration.ts'
import { readSite } from './read-site.ts'

/** What a host leads to. */
export type HostEntry = {
  site: CompiledSite
  domain: CompiledDomain
  purges: PurgeState
  /** Of the domain: what every answer asks for stands where it is near. */
  responseHeaders: HeaderChange[] | undefined
  steps: Steps
}

const hostsMax = 50_000
/** Bytes of source that the younger half of compiled sites may have; in memory they weigh some three times as much. */
const bytesMax = 32_000_000

let seenGeneration = -1
let seenDrops = -1
let weight = 1
let hosts: Record<string, HostEntry | 'none'> = {}
let hostCount = 0

/** Compiled sites by artefact hash in two halves: what is used moves to the young one, what is not goes with the old one. */
let young: Record<string, CompiledSite> = {}
let old: Record<string, CompiledSite> = {}
let youngBytes = 0

/** The artefact by which this worker served a site last: with the next one it is let go. */
const served: Record<number, string> = {}

/** The compiled form of an artefact, whether or not the site index names it. Throws where it is broken. */
export function compiledSite(hash: string): CompiledSite {
  const known = young[hash]
  if (known !== undefined) return known
  return keep(hash, old[hash] ?? readSite(hash))
}

/** The same as the disk has it now, whatever this worker knows. */
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

/** Drops what the site index no longer names: keys and settings of a site that left. */
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

/** One row in so many requests is logged. Valid after `hostEntry`. */
export function rowWeight(): number {
  return weight
}

/** Has this worker look for changes also while nobody asks it anything. */
export function lookAgain(): void {
  const generation = siteIndex.generation()
  if (generation !== seenGeneration) refresh(generation)
}

/** The site and domain of a canonical host, or nothing where this node serves none. */
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

/** What a site has, or else what it had before: an object may be damaged on the disk after it was applied. */
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

/** The exact name first, then the wildcards above it, the nearest first. */
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
