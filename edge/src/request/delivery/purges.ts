/** Which cached objects are gone: generations that only rise and are part of the cache key (see `loadPurges`). */

/** What a request needs to know of its site's purges; looked up again when anything changed. */
export type PurgeState = { all: string; hasUrls: boolean; prefixes: { prefix: string; id: number }[] }

export function purgeStateOf(_site: number): PurgeState {
  return { all: '0', hasUrls: false, prefixes: [] }
}

export function forgetSite(_site: number, _sequence: number): void {}
