/**
 * Keys of cached objects. The object's own part names a URL of a site, and is what purges and marks speak about; the
 * whole key adds what selects a variant, and the generations, so that a purged object is never found again.
 */
/** What a request needs to know of its site's purges; looked up again when anything changed. */
export type PurgeState = {
  all: string
  /** The generations of an object that nothing but purges of everything touched. */
  untouched: string
  hasUrls: boolean
  prefixes: { prefix: string; id: number }[]
}

/** `u…` with the query, `i…` where a rule ignores it. */
export function objectKey(site: number, host: string, path: string, query: string, ignoreQuery: boolean): string {
  if (ignoreQuery) return `i${site}|${host}${path}`
  return query === '' ? `u${site}|${host}${path}` : `u${site}|${host}${path}?${query}`
}

/** The newest purge of a prefix of an object, 0 for none. `place` is host and path. */
export function prefixPurge(state: PurgeState, place: string): number {
  let newest = 0
  for (const { prefix, id } of state.prefixes) if (id > newest && place.startsWith(prefix)) newest = id
  return newest
}
