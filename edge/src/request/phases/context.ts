/**
 * nginx drops `ngx.ctx` when a request jumps to another location. It is saved here before the jump and restored after
 * it.
 */

import type { EdgeRequest } from '../lib/guard.ts'
import type { HostEntry } from '../sites/site-cache.ts'

/** The result of checking a request's credentials: `failed` showed something invalid, `missing` showed nothing. */
export type AuthOutcome = 'passed' | 'missing' | 'failed' | 'paused' | 'busy'

/**
 * Kept for a request's later phases. Fields that most requests do not need are not in the initial literal: with more
 * than 16 fields it would take twice the memory.
 */
export type RequestContext = {
  entry: HostEntry
  request: EdgeRequest
  /** The request target as sent, and whether it is just its canonical path and query. */
  target: string
  isPlain: boolean
  isTls: boolean
  /** Whether it has a header that may make it bypass the cache, or that asks for a range or makes it conditional. */
  isSpecial: boolean
  /**
   * Whether the origin gets a different path than was sent. Such a response is not cached: its key would be another
   * request's.
   */
  isRewritten?: boolean
  /** On the cached route: the key of the object, if a 304 renewed its headers. */
  overlayKey?: string
  /**
   * On the uncached route: whether the object's mark as uncacheable expires soon, so that this response decides anew.
   */
  isUncacheableEnding?: boolean
  /** The request's Origin header, if the domain has CORS settings. */
  corsOrigin: string | undefined
  /** Whether the request is a CORS preflight that the edge answers. */
  isPreflight?: boolean
  /** Whether a signature or key was taken from the URL: `target` then does not contain it. */
  isSigned?: boolean
  /** Keys that were taken from the query, by parameter name; absent if there are none. */
  shownKeys?: Record<string, string>
  /** Whether the URL has a valid signature. */
  isRightlySigned?: boolean
  /** Whether the request shows a key or token that is valid for its URL; absent if no rule asks for one. */
  showsKey?: (this: void, context: RequestContext) => boolean
  /** The results of checking the credentials, by rule; absent before the first check. */
  outcomes?: Record<number, AuthOutcome>
  /** Whether the sender had to authenticate: the response is for authorized visitors only. */
  isProtected?: boolean
  /** Whether a bandwidth limit applies to the response, which nginx must then buffer. */
  isLimited?: boolean
  /** On the cached route: whether the response is a hit; known when its headers are sent. */
  isHit: boolean
  /** On the cached route: whether the object is fetched and stored in slices. */
  isSliced?: boolean
  /** Whether it is a gRPC call, which reaches the origin by its own route and is refused with a gRPC status. */
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

/** Drops a context that was saved for a jump that did not happen. */
export function dropContext(): void {
  const slot = tonumber(ngx.var.bw_context)
  if (slot !== undefined) delete kept[slot]
}

/** The target location restores it at once, so that nothing is left behind. */
export function takeContext(): void {
  const slot = tonumber(ngx.var.bw_context)
  if (slot === undefined) return
  const context = kept[slot]
  if (context === undefined) return
  delete kept[slot]
  ngx.ctx = context
  ngx.var.bw_context = ''
}
