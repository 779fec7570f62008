/**
 * What is remembered of single objects beyond the cache, in one small entry: how often an unsafe request made it stale
 * (part of its key), whether a revalidation renewed its headers, and until when it is known to be uncacheable, for
 * everybody or for visitors with credentials. May be evicted: the worst is an object that lives until its own end, or a
 * page that takes the slower route once more.
 */

const dict = ngx.shared.cache_metadata!

/** Seconds for which a page that could not be stored is not looked for in the cache. */
const uncacheableSeconds = 20
/** An answer that comes within these last seconds extends them, so that a page in use never meets the cache's lock. */
const renewedWithin = 10

/** The last look: fields instead of a table, for every request to the cache takes one. */
export const metadata = { staleness: 0, hasOverlay: false, uncacheableUntil: 0, isPersonalOnly: false }

/** Reads an object's entry into `metadata`. */
export function readMetadata(key: string): void {
  const [value, flags] = dict.get(key)
  const packed = (value as number | undefined) ?? 0
  metadata.hasOverlay = packed % 2 === 1
  metadata.isPersonalOnly = packed % 4 >= 2
  metadata.staleness = Math.floor(packed / 4)
  // Of a key that is too long for the dictionary the second value says so.
  metadata.uncacheableUntil = value === undefined ? 0 : (flags ?? 0)
}

function write(key: string): void {
  const packed = metadata.staleness * 4 + (metadata.isPersonalOnly ? 2 : 0) + (metadata.hasOverlay ? 1 : 0)
  dict.set(key, packed, 0, metadata.uncacheableUntil)
}

/**
 * A page that cannot be stored takes the uncached route for a while: at the cache's lock its visitors would wait in line.
 * `isPersonalOnly` where that holds for visitors with credentials alone.
 */
export function markUncacheable(key: string, now: number, isPersonalOnly: boolean): void {
  readMetadata(key)
  metadata.uncacheableUntil = Math.floor(now) + uncacheableSeconds
  metadata.isPersonalOnly = isPersonalOnly
  write(key)
}

/** Whether the entry that was read ends soon: the next answer decides anew. */
export const uncacheableEndsSoon = (now: number): boolean => metadata.uncacheableUntil - now < renewedWithin

/** The page can be stored now. */
export function markCacheable(key: string): void {
  readMetadata(key)
  if (metadata.uncacheableUntil === 0) return
  metadata.uncacheableUntil = 0
  metadata.isPersonalOnly = false
  write(key)
}

/** An unsafe request changed it: what is stored is never found again. */
export function markStale(key: string): void {
  readMetadata(key)
  metadata.staleness++
  write(key)
}

/** Headers that a 304 renewed, for the stored object keeps its own. */
export function setOverlay(key: string, variant: string, json: string | undefined): void {
  readMetadata(key)
  if (json === undefined) {
    if (metadata.hasOverlay) dict.delete(`o${variant}${key}`)
    return
  }
  dict.set(`o${variant}${key}`, json, 86_400)
  if (metadata.hasOverlay) return
  metadata.hasOverlay = true
  write(key)
}

export function overlay(key: string, variant: string): string | undefined {
  const [json] = dict.get(`o${variant}${key}`)
  return json as string | undefined
}

/** A stored object may stand in for a failing origin until then (stale-if-error). */
export function allowStale(key: string, seconds: number): void {
  dict.set(`e${key}`, 1, seconds)
}

export function allowsStale(key: string): boolean {
  const [allowed] = dict.get(`e${key}`)
  return allowed !== undefined
}
