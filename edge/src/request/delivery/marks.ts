/**
 * What is remembered of single objects beyond the cache, in one small entry: how often an unsafe request made it stale
 * (part of its key), whether a revalidation renewed its headers, and until when it is known to be uncacheable. May be
 * evicted: the worst is an object that lives until its own end, or a page that takes the slower route once more.
 */

const dict = ngx.shared.marks!

/** Seconds for which a page that could not be kept goes straight to its origin. */
const uncacheableSeconds = 60

/** The last look: fields instead of a table, for every request to the cache takes one. */
export const mark = { staleness: 0, hasOverlay: false, uncacheableUntil: 0 }

/** Reads an object's entry into `mark`. */
export function look(key: string): void {
  const [value, flags] = dict.get(key)
  const packed = (value as number | undefined) ?? 0
  mark.hasOverlay = packed % 2 === 1
  mark.staleness = Math.floor(packed / 2)
  mark.uncacheableUntil = flags ?? 0
}

function write(key: string): void {
  dict.set(key, mark.staleness * 2 + (mark.hasOverlay ? 1 : 0), 0, mark.uncacheableUntil)
}

/** A page that cannot be kept takes the direct route for a while: the cache's lock would let its visitors wait in line. */
export function markUncacheable(key: string, now: number): void {
  look(key)
  mark.uncacheableUntil = Math.floor(now) + uncacheableSeconds
  write(key)
}

/** An unsafe request changed it: what is stored is never found again. */
export function markStale(key: string): void {
  look(key)
  mark.staleness++
  write(key)
}

/** Headers that a 304 renewed, for the stored object keeps its own. */
export function setOverlay(key: string, variant: string, json: string | undefined): void {
  look(key)
  if (json === undefined) {
    if (mark.hasOverlay) dict.delete(`o${variant}${key}`)
    return
  }
  dict.set(`o${variant}${key}`, json, 86_400)
  if (mark.hasOverlay) return
  mark.hasOverlay = true
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
