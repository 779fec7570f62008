/**
 * Keys of cached objects. The object's own part names a URL of a site, and is what purges and cache metadata refer to; the
 * whole key adds what selects a variant, and the generations, so that a purged object is never found again.
 */
import { rawPathOf } from '../lib/request-target.ts'
import type { CacheChoice } from './cache-rules.ts'
import { type KeySource, variantKey } from './cache-variant.ts'

/** What a request needs to know of its site's purges; looked up again when anything changed. */
export type PurgeState = {
  all: string
  /** The generations of an object that nothing but purges of everything touched. */
  untouched: string
  hasUrls: boolean
  prefixes: { prefix: string; id: number }[]
}

/** The path as it stands in a key: a `?` in it must not be taken for the beginning of the query. */
function keyPath(path: string): string {
  if (path.indexOf('?') < 0 && path.indexOf('%') < 0) return path
  return path.split('%').join('%25').split('?').join('%3F')
}

/**
 * `u…` with the query, `i…` where a rule ignores it. By the canonical path: what a purge names is gone however it was
 * spelled. Two different paths or queries never give one key.
 */
export function objectKey(site: number, host: string, path: string, query: string, ignoreQuery: boolean): string {
  const place = keyPath(path)
  if (ignoreQuery) return `i${site}|${host}${place}`
  return query === '' ? `u${site}|${host}${place}` : `u${site}|${host}${place}?${query}`
}

/**
 * The key of one spelling of an object. The origin gets the target as it was sent, so another spelling is another
 * request to it, and its answer is kept apart. A plain target is the object's own key; no other holds a space.
 */
export function spelledKey(
  object: string,
  target: string,
  path: string,
  isPlain: boolean,
  ignoreQuery: boolean,
): string {
  if (isPlain) return object
  const spelled = ignoreQuery ? rawPathOf(target) : target
  return spelled === path ? object : `${object} ${spelled}`
}

/**
 * What a request asks the cache for, one for all requests: an object by its canonical URL, and the key of this spelling
 * and variant of it.
 */
export const asked = { object: '', key: '' }

export type AskedUrl = {
  site: number
  host: string
  path: string
  query: string
}

/** Fills `asked`. `target` is the URL as it was sent. */
export function placeKeys(
  url: AskedUrl,
  target: string,
  isPlain: boolean,
  choice: CacheChoice | undefined,
  source: KeySource,
): void {
  const ignoreQuery = choice?.ignoreQuery === true
  const object = objectKey(url.site, url.host, url.path, url.query, ignoreQuery)
  const spelled = spelledKey(object, target, url.path, isPlain, ignoreQuery)
  const variant = choice === undefined ? undefined : choice.variant
  asked.object = object
  asked.key = variant === undefined ? spelled : spelled + variantKey(variant, url.query, source)
}

/** The newest purge of a prefix of an object, 0 for none. `place` is host and path. */
export function prefixPurge(state: PurgeState, place: string): number {
  let newest = 0
  for (const { prefix, id } of state.prefixes) if (id > newest && place.startsWith(prefix)) newest = id
  return newest
}
