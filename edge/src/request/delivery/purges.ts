/**
 * Which cached objects are purged. Every purge raises a generation that is part of the cache key. Generations only
 * rise, are kept where nothing is evicted, and are read back from disk before nginx listens, so neither memory pressure
 * nor a restart brings a purged object back.
 *
 *   a<site> → newest purge of everything    d<site> → newest tombstone (0: of the whole node)
 *   p<site> → purged prefixes, a line each  c<site> → how many single URLs were purged
 *   u… and i… (object keys) → newest purge of that URL
 */
import type { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import type { z } from 'zod'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import { appendFile, readFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { objectKey, type PurgeState } from './cache-key.ts'

export type Purge = z.output<typeof PurgeRecord>

const dict = ngx.shared.purges!

/** A site with more purged prefixes than this is purged entirely: each costs every request a comparison. */
const prefixesMax = 100
/** The same for more purged URLs than this: they are remembered in memory that all sites share. */
const urlsMax = 20_000

function numberAt(key: string): number {
  const [value] = dict.get(key)
  return (value as number | undefined) ?? 0
}

/** Raises a number. Returns false if memory is full. */
export function raise(key: string, id: number): boolean {
  if (numberAt(key) >= id) return true
  const [ok] = dict.safe_set(key, id)
  return ok === true
}

function prefixesOf(site: number): { prefix: string; id: number }[] {
  const [text] = dict.get(`p${site}`)
  if (text === undefined) return []
  return (text as string).split('\n').map((line) => {
    const space = line.indexOf(' ')
    return { id: tonumber(line.substring(0, space))!, prefix: line.substring(space + 1) }
  })
}

/** Shared states of sites that only purged everything: most of them are alike, so one object serves them all. */
const untouchedBy = setmetatable({} as Record<string, PurgeState>, { __mode: 'v' } as never)

export function purgeStateOf(site: number): PurgeState {
  const all = `${numberAt('d0')}.${numberAt(`d${site}`)}.${numberAt(`a${site}`)}`
  const hasUrls = numberAt(`c${site}`) > 0
  const prefixes = prefixesOf(site)
  const isPlain = !hasUrls && prefixes.length === 0
  const known = isPlain ? untouchedBy[all] : undefined
  if (known !== undefined) return known
  const state = { all, untouched: `${all}.0.0.0|`, hasUrls, prefixes }
  if (isPlain) untouchedBy[all] = state
  return state
}

/** The newest purge of one object. */
export function urlPurge(key: string): number {
  return numberAt(key)
}

/** Counts one more purged URL of a site. Returns false if it has reached the limit, or memory is full. */
function countUrl(site: number): boolean {
  const count = numberAt(`c${site}`) + 1
  if (count > urlsMax) return false
  const [ok] = dict.safe_set(`c${site}`, count)
  return ok === true
}

/** Raises an object's generation, or that of its whole site if the site has purged too many URLs or memory is full. */
export function purgeObject(site: number, key: string, id: number): void {
  const known = numberAt(key) > 0
  if ((known || countUrl(site)) && raise(key, id)) return
  purgeAll(site, id)
}

function purgeAll(site: number, id: number): void {
  if (!raise(`a${site}`, id)) throw new Error('purges: no memory')
}

/** The object keys of a purged URL: with its query, and as rules that ignore the query store it. */
function keysOf(site: number, value: string): string[] {
  const { host, path, query } = placeOf(value)
  return [objectKey(site, host, path, query, false), objectKey(site, host, path, '', true)]
}

/** Parses `host/path?query`, with the path percent-encoded as in a URL. */
function placeOf(value: string): { host: string; path: string; query: string } {
  const mark = value.indexOf('?')
  const place = mark < 0 ? value : value.substring(0, mark)
  const slash = place.indexOf('/')
  const raw = slash < 0 ? '/' : place.substring(slash)
  return {
    host: canonicalHost(slash < 0 ? place : place.substring(0, slash)),
    path: canonicalPath(raw) ?? raw,
    query: mark < 0 ? '' : value.substring(mark + 1),
  }
}

function purgePrefix(site: number, value: string, id: number): void {
  const { host, path } = placeOf(value)
  const prefix = host + path
  if (prefix.indexOf('\n') >= 0) return
  const kept = prefixesOf(site).filter((known) => known.prefix !== prefix)
  kept.push({ prefix, id })
  const text = kept.map((known) => `${known.id} ${known.prefix}`).join('\n')
  const [ok] = kept.length > prefixesMax ? [false] : dict.safe_set(`p${site}`, text)
  if (ok !== true) purgeAll(site, id)
}

/** Applies all purges except those by tag, which need the ledger (tags.ts). */
export function applyPurge(purge: Purge): void {
  const { site, id } = purge
  if (purge.type === 'all') purgeAll(site, id)
  for (const value of purge.values) {
    if (purge.type === 'url') for (const key of keysOf(site, value)) purgeObject(site, key, id)
    else if (purge.type === 'prefix') purgePrefix(site, value, id)
  }
}

const tombstones = (): string => `${node().folder}/cache/tombstones.log`

/**
 * Records that a site was removed: if it comes back, it finds nothing that was stored before. 0 stands for all sites.
 * Uses the clock, not the feed's sequence, which may start over with another epoch.
 */
export function forgetSite(site: number): void {
  const id = Math.max(ngx.time(), numberAt(`d${site}`) + 1)
  raise(`d${site}`, id)
  appendFile(tombstones(), `${site} ${id}\n`)
}

/** Applies a tombstone from the feed on disk: its sequence is far below any clock, so one seen live wins. */
export function raiseTombstone(site: number, sequence: number): void {
  raise(`d${site}`, sequence)
}

/** Reads the tombstones from earlier runs of this node. */
export function loadTombstones(): void {
  for (const line of (readFile(tombstones()) ?? '').split('\n')) {
    const space = line.indexOf(' ')
    const site = tonumber(line.substring(0, space))
    const sequence = tonumber(line.substring(space + 1))
    if (space > 0 && site !== undefined && sequence !== undefined) raise(`d${site}`, sequence)
  }
}
