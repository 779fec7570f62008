/**
 * What is remembered about single objects outside the cache, in one small entry each: how often an unsafe request made
 * it stale (part of its key), whether a revalidation updated its headers, and until when it is known to be uncacheable,
 * for everybody or only for visitors with credentials. Entries may be evicted: at worst, an object lives until it
 * expires by itself, or a page takes the slower route once more.
 */

const dict = ngx.shared.cache_metadata!

/** For how many seconds a page that could not be stored bypasses the cache lookup. */
const uncacheableSeconds = 20
/** An answer within these last seconds extends the period, so that a page in use never waits for the cache lock. */
const renewedWithin = 10

/** The entry read last: fields instead of a new table, because every request to the cache reads one. */
export const metadata = { staleness: 0, hasOverlay: false, uncacheableUntil: 0, isPersonalOnly: false }

/** Reads an object's entry into `metadata`. */
export function readMetadata(key: string): void {
  const [value, flags] = dict.get(key)
  const packed = (value as number | undefined) ?? 0
  metadata.hasOverlay = packed % 2 === 1
  metadata.isPersonalOnly = packed % 4 >= 2
  metadata.staleness = Math.floor(packed / 4)
  // If the key is too long for the dictionary, the second value is an error message, not flags.
  metadata.uncacheableUntil = value === undefined ? 0 : (flags ?? 0)
}

function write(key: string): void {
  const packed = metadata.staleness * 4 + (metadata.isPersonalOnly ? 2 : 0) + (metadata.hasOverlay ? 1 : 0)
  dict.set(key, packed, 0, metadata.uncacheableUntil)
}

/**
 * Sends a page that cannot be stored to the uncached route for a while: its visitors would otherwise queue at the cache
 * lock. `isPersonalOnly` if this applies only to visitors with credentials.
 */
export function markUncacheable(key: string, now: number, isPersonalOnly: boolean): void {
  readMetadata(key)
  metadata.uncacheableUntil = Math.floor(now) + uncacheableSeconds
  metadata.isPersonalOnly = isPersonalOnly
  write(key)
}

/** Whether the entry just read expires soon: the next answer then decides again. */
export const uncacheableEndsSoon = (now: number): boolean => metadata.uncacheableUntil - now < renewedWithin

/** Records that the page can be stored again. */
export function markCacheable(key: string): void {
  readMetadata(key)
  if (metadata.uncacheableUntil === 0) return
  metadata.uncacheableUntil = 0
  metadata.isPersonalOnly = false
  write(key)
}

/** Records that an unsafe request changed the object: the stored copies are never found again. */
export function markStale(key: string): void {
  readMetadata(key)
  metadata.staleness++
  write(key)
}

/** Stores headers that a 304 updated, because the stored object keeps its old ones. */
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

/** Lets a stored object stand in for a failing origin for so many seconds (stale-if-error). */
export function allowStale(key: string, seconds: number): void {
  dict.set(`e${key}`, 1, seconds)
}

export function allowsStale(key: string): boolean {
  const [allowed] = dict.get(`e${key}`)
  return allowed !== undefined
}
