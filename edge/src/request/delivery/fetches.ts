/**
 * Fetches from origins that are under way, for all workers of this node: who asks for the same object meanwhile waits for
 * the first answer's head and, where it is stored, reads the body while it is written. Keyed as the cache is.
 *
 *   k<key>  → `<id>` while the origin has not answered, `<id>+` while the body can be read from the fetch's file
 *   w<id>   → how many wait for the head
 *   e<id>   → how the fetch ended: `done` or `failed`
 */
const dict = ngx.shared.fetches!

/** Seconds after which a fetch whose worker died is forgotten; a fetch that goes on says so more often. */
const lifeSeconds = 60
/** A finished body can still be read for so long, by those who just waited for it. */
export const graceSeconds = 2
/** How long an end is remembered: longer than the slowest reader is behind between two looks. */
const endSeconds = 600

let count = 0

/** Begins a fetch unless one is under way: then nothing is returned, and the object is waited for. */
export function beginFetch(key: string): string | undefined {
  count++
  const id = `${ngx.worker.pid()}-${count}`
  const [isFirst] = dict.add(`k${key}`, id, lifeSeconds)
  return isFirst ? id : undefined
}

export type FetchState = { id: string; isReadable: boolean }

/** The fetch of an object, or nothing where none is under way. */
export function fetchOf(key: string): FetchState | undefined {
  const [value] = dict.get(`k${key}`)
  if (value === undefined) return undefined
  const text = value as string
  return text.endsWith('+')
    ? { id: text.substring(0, text.length - 1), isReadable: true }
    : { id: text, isReadable: false }
}

/** One more waits for the head of an answer. */
export function waitFor(id: string): void {
  dict.incr(`w${id}`, 1, 0, lifeSeconds)
}

export function isWaitedFor(id: string): boolean {
  const [waiting] = dict.get(`w${id}`)
  return waiting !== undefined
}

/** From now on the body can be read; called again at least every `lifeSeconds`. */
export function setReadable(key: string, id: string): void {
  dict.set(`k${key}`, `${id}+`, lifeSeconds)
}

/** The answer is nobody else's, or too small to share: whoever waits asks the origin. */
export function giveUp(key: string, id: string): void {
  if (fetchOf(key)?.id === id) dict.delete(`k${key}`)
}

/** The fetch ended. A whole body stays readable for a moment. */
export function endFetch(key: string, id: string, isWhole: boolean): void {
  dict.set(`e${id}`, isWhole ? 'done' : 'failed', endSeconds)
  if (!isWhole) giveUp(key, id)
  else dict.set(`k${key}`, `${id}+`, graceSeconds)
}

/** How a fetch ended; nothing while it goes on. A fetch of which nothing is known any more has failed. */
export function endOf(key: string, id: string): 'done' | 'failed' | undefined {
  const [end] = dict.get(`e${id}`)
  if (end !== undefined) return end as 'done' | 'failed'
  return fetchOf(key)?.id === id ? undefined : 'failed'
}
