/**
 * What is remembered of objects that are stored in slices: the version (ETag) that their slices are of, and which objects
 * cannot be sliced. May be evicted: slices after an answer's first are stored under the version of the first, so that
 * bytes of two versions never meet whatever is forgotten.
 *
 *   s<key>  → the version of the slice that was fetched last
 *   m<key>  → how often the version changed of late
 *   w<key>  → set where the object is stored whole
 */
import { markStale } from './cache-metadata.ts'

const dict = ngx.shared.cache_metadata!

/** An origin that sends no slices of an object is asked again after so many seconds. */
const wholeSeconds = 3600
/** As long as a slice that nobody asks for stays stored. */
const versionSeconds = 7 * 86_400
/** Origins that name each answer anew, as servers with ETags of their own do by turn, send slices of nothing. */
const changesMax = 3
const changesSeconds = 60

/** Whether an object is asked for whole although a rule wants it in slices. */
export function isWhole(key: string): boolean {
  const [value] = dict.get(`w${key}`)
  return value !== undefined
}

export function markWhole(key: string): void {
  dict.set(`w${key}`, 1, wholeSeconds)
}

/** The origin has another version: no slice of those before is found again. */
export function noteChange(object: string, key: string, version: string | undefined): void {
  const [changes] = dict.incr(`m${key}`, 1, 0, changesSeconds)
  if (changes !== undefined && changes >= changesMax) markWhole(key)
  if (version !== undefined) dict.set(`s${key}`, version, versionSeconds)
  markStale(object)
}

/** Remembers the version of a slice; what was stored of another is given up. */
export function noteVersion(object: string, key: string, version: string): void {
  const [before] = dict.get(`s${key}`)
  if (before === undefined) dict.set(`s${key}`, version, versionSeconds)
  else if (before !== version) noteChange(object, key, version)
}

type Headers = Record<string, string | undefined>

/** The version of an object whose parts can be put together: a strong tag, and the bytes as they are. */
export function strongVersion(headers: Headers): string | undefined {
  const { etag } = headers
  if (etag === undefined || string.match(etag, '^"[%w%p]*"$')[0] === undefined) return undefined
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding === 'identity' ? etag : undefined
}

/** The version of a slice that can be put beside others. */
export function sliceVersion(headers: Headers): string | undefined {
  const range = headers['content-range']
  if (range === undefined || string.match(range, '^bytes %d+-%d+/%d+$')[0] === undefined) return undefined
  return strongVersion(headers)
}
