/**
 * Keys of cached objects. The object key names a URL of a site; purges and cache metadata refer to it. The full key
 * adds whatever selects a variant, and the purge generations, so that a purged object is never found again.
 */
import { rawPathOf } from '../lib/request-target.ts'
import type { CacheChoice } from './cache-rules.ts'
import { type KeySource, variantKey } from './cache-variant.ts'

/** What a request needs to know about its site's purges; looked up again after any change. */
export type PurgeState = {
  all: string
  /** The generations of an object that only purges of everything have affected. */
  untouched: string
  hasUrls: boolean
  prefixes: { prefix: string; id: number }[]
}

/** The path as written in a key: a `?` in it must not be mistaken for the start of the query. */
function keyPath(path: string): string {
  if (path.indexOf('?') < 0 && path.indexOf('%') < 0) return path
  return path.split('%').join('%25').split('?').join('%3F')
}

/**
 * `u…` includes the query; `i…` is for rules that ignore it. Uses the canonical path, so that a purge covers every
 * spelling of a URL. Different paths or queries never produce the same key.
 */
export function objectKey(site: number, host: string, path: string, query: string, ignoreQuery: boolean): string {
  const place = keyPath(path)
  if (ignoreQuery) return `i${site}|${host}${place}`
  return query === '' ? `u${site}|${host}${place}` : `u${site}|${host}${place}?${query}`
}

/**
 * The key of one spelling of an object. The origin gets the target as it was sent, so another spelling is a different
 * request to it, and its answer is kept separately. A plain target uses the object key; every other key contains a
 * space.
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
 * What the current request asks the cache for, one table for all requests: the object, by its canonical URL, and the
 * key of this spelling and variant.
 */
export const asked = { object: '', key: '' }

export type AskedUrl = {
  site: number
  host: string
  path: string
  query: string
}

/** Fills in `asked`. `target` is the URL as it was sent. */
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

/** The id of the newest prefix purge that covers an object, or 0. `place` is host and path. */
export function prefixPurge(state: PurgeState, place: string): number {
  let newest = 0
  for (const { prefix, id } of state.prefixes) if (id > newest && place.startsWith(prefix)) newest = id
  return newest
}
