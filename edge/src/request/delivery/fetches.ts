/**
 * Fetches from origins in progress, shared by all workers of this node: a request for the same object waits for the
 * head of the first answer and, if that is stored, reads the body while it is being written. Keyed like the cache.
 *
 *   k<key>  → `<id>` while the origin has not answered, `<id>+` while the body can be read from the fetch's file
 *   w<id>   → how many wait for the head
 *   e<id>   → how the fetch ended: `done` or `failed`
 */
const dict = ngx.shared.fetches!

/** Seconds after which the fetch of a worker that died is forgotten; a running fetch renews its entry more often. */
const lifeSeconds = 60
/** Seconds for which a finished body can still be read, by requests that were just waiting for it. */
export const graceSeconds = 2
/** Seconds for which the end of a fetch is remembered: longer than the slowest reader takes between two looks. */
const endSeconds = 600

let count = 0

/** Begins a fetch. Returns undefined if one is already in progress; the caller then waits for that one. */
export function beginFetch(key: string): string | undefined {
  count++
  const id = `${ngx.worker.pid()}-${count}`
  const [isFirst] = dict.add(`k${key}`, id, lifeSeconds)
  return isFirst ? id : undefined
}

export type FetchState = { id: string; isReadable: boolean }

/** The fetch of an object. Returns undefined if none is in progress. */
export function fetchOf(key: string): FetchState | undefined {
  const [value] = dict.get(`k${key}`)
  if (value === undefined) return undefined
  const text = value as string
  return text.endsWith('+')
    ? { id: text.substring(0, text.length - 1), isReadable: true }
    : { id: text, isReadable: false }
}

/** Counts one more request that waits for the head of an answer. */
export function waitFor(id: string): void {
  dict.incr(`w${id}`, 1, 0, lifeSeconds)
}

export function isWaitedFor(id: string): boolean {
  const [waiting] = dict.get(`w${id}`)
  return waiting !== undefined
}

/** Marks the body as readable; call again at least every `lifeSeconds`. */
export function setReadable(key: string, id: string): void {
  dict.set(`k${key}`, `${id}+`, lifeSeconds)
}

/** The answer is only for its visitor, or too small to share: requests that wait go to the origin themselves. */
export function giveUp(key: string, id: string): void {
  if (fetchOf(key)?.id === id) dict.delete(`k${key}`)
}

/** Ends the fetch. A complete body stays readable for `graceSeconds`. */
export function endFetch(key: string, id: string, isWhole: boolean): void {
  dict.set(`e${id}`, isWhole ? 'done' : 'failed', endSeconds)
  if (!isWhole) giveUp(key, id)
  else dict.set(`k${key}`, `${id}+`, graceSeconds)
}

/** How a fetch ended. Returns undefined while it is in progress. A fetch that is no longer known has failed. */
export function endOf(key: string, id: string): 'done' | 'failed' | undefined {
  const [end] = dict.get(`e${id}`)
  if (end !== undefined) return end as 'done' | 'failed'
  return fetchOf(key)?.id === id ? undefined : 'failed'
}
