/**
 * What is remembered about objects stored in slices: the version (ETag) of their slices, and which objects cannot be
 * sliced. Entries may be evicted: all slices of one answer are stored under the version of its first slice, so bytes of
 * two versions are never mixed, whatever is forgotten.
 *
 *   s<key>  → the version of the slice that was fetched last
 *   m<key>  → how often the version changed recently
 *   w<key>  → set if the object is stored whole
 */
import { markStale } from './cache-metadata.ts'

const dict = ngx.shared.cache_metadata!

/** Seconds after which an origin that sent no slices of an object is tried again. */
const wholeSeconds = 3600
/** As long as a slice that is not requested stays stored. */
const versionSeconds = 7 * 86_400
/** Some origins change the ETag with each answer, as servers in rotation with ETags of their own do: no slices. */
const changesMax = 3
const changesSeconds = 60

/** Whether an object is fetched whole although a rule wants slices. */
export function isWhole(key: string): boolean {
  const [value] = dict.get(`w${key}`)
  return value !== undefined
}

export function markWhole(key: string): void {
  dict.set(`w${key}`, 1, wholeSeconds)
}

/** Records that the origin has another version: older slices are never found again. */
export function noteChange(object: string, key: string, version: string | undefined): void {
  const [changes] = dict.incr(`m${key}`, 1, 0, changesSeconds)
  if (changes !== undefined && changes >= changesMax) markWhole(key)
  if (version !== undefined) dict.set(`s${key}`, version, versionSeconds)
  markStale(object)
}

/** Remembers the version of a slice; stored slices of another version are discarded. */
export function noteVersion(object: string, key: string, version: string): void {
  const [before] = dict.get(`s${key}`)
  if (before === undefined) dict.set(`s${key}`, version, versionSeconds)
  else if (before !== version) noteChange(object, key, version)
}

type Headers = Record<string, string | undefined>

/** The version of an object whose parts can be combined: a strong ETag, without a content encoding. */
export function strongVersion(headers: Headers): string | undefined {
  const { etag } = headers
  if (etag === undefined || string.match(etag, '^"[%w%p]*"$')[0] === undefined) return undefined
  const encoding = headers['content-encoding']
  return encoding === undefined || encoding === 'identity' ? etag : undefined
}

/** The version of a slice that can be combined with others. */
export function sliceVersion(headers: Headers): string | undefined {
  const range = headers['content-range']
  if (range === undefined || string.match(range, '^bytes %d+-%d+/%d+$')[0] === undefined) return undefined
  return strongVersion(headers)
}
