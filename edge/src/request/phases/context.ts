/** nginx forgets `ngx.ctx` when a request jumps to another location. It is put aside here and taken back there. */

import type { EdgeRequest } from '../lib/guard.ts'
import type { HostEntry } from '../sites/site-cache.ts'

/** What was made of what a request shows: `failed` showed something that is not right, `missing` showed nothing. */
export type AuthOutcome = 'passed' | 'missing' | 'failed' | 'paused' | 'busy'

/** Kept for a request's later phases. What most requests are not is left out where it is made: with more than 16 fields it would be twice as large. */
export type RequestContext = {
  entry: HostEntry
  request: EdgeRequest
  /** The request's target as it was sent, and whether that is just its canonical path and query. */
  target: string
  isPlain: boolean
  isTls: boolean
  /** Whether it has a header that can lead it around the cache, or asks for a part or for a change only. */
  isSpecial: boolean
  /** Whether the origin gets another path than was sent. Such an answer is not cached: its key would be another request's. */
  isRewritten?: boolean
  /** On the cached route: the object asked for, where a 304 renewed its headers. */
  overlayKey?: string
  /** On the uncached route: whether the object is known as uncacheable for a short while only, so that this answer decides anew. */
  isUncacheableEnding?: boolean
  /** The page's origin that the request named, where the domain has a word about such. */
  corsOrigin: string | undefined
  /** Whether the request asks for permission to send another one, and the edge answers it. */
  isPreflight?: boolean
  /** Whether a signature or key was taken from the URL: `target` is then without it. */
  isSigned?: boolean
  /** Keys that were taken from the query, by the parameter's name; absent for none. */
  shownKeys?: Record<string, string>
  /** Whether the URL was signed, and rightly. */
  isRightlySigned?: boolean
  /** Whether the request shows a key or token that is right for its URL; absent where nobody will ask. */
  showsKey?: (this: void, context: RequestContext) => boolean
  /** What was made of what it shows, by the rule that asked; absent before one has. */
  outcomes?: Record<number, AuthOutcome>
  /** Whether the sender had to show who it is: the answer is for those who may pass alone. */
  isProtected?: boolean
  /** Whether a bandwidth limit holds for the answer, which nginx must then buffer. */
  isLimited?: boolean
  /** On the cached route: whether the object is asked for, and stored, in slices. */
  isSliced?: boolean
  /** Whether it is a gRPC call, which reaches an origin by a route of its own, and is refused in its own words. */
  isCall: boolean
  /** Why it was refused or observed, and what was done with it, as in the log row. */
  cause: number
  action: string
}

const kept: Record<number, object> = {}
let last = 0

export function keepContext(): void {
  last = last >= 1_000_000_000 ? 1 : last + 1
  kept[last] = ngx.ctx
  ngx.var.bw_context = last
}

/** Forgets what was put aside for a jump that did not come. */
export function dropContext(): void {
  const slot = tonumber(ngx.var.bw_context)
  if (slot !== undefined) delete kept[slot]
}

/** Taken back at once by the location that was jumped to, so that nothing stays behind. */
export function takeContext(): void {
  const slot = tonumber(ngx.var.bw_context)
  if (slot === undefined) return
  const context = kept[slot]
  if (context === undefined) return
  delete kept[slot]
  ngx.ctx = context
  ngx.var.bw_context = ''
}
