/**
 * The requests that this worker has under way, by the address of nginx's structure. The log phase takes each one out
 * before nginx frees it, so whatever stands here may be looked at.
 */
import * as ffi from 'ffi'
import { get_request } from 'resty.core.base'

/** When each began, in epoch seconds. Not deleted but set to nothing: a look-up less for every request. */
const live: Record<number, number | undefined> = {}

/** All that are under way, to be read only. */
export const liveRequests = (): Record<number, number | undefined> => live

/** A request's body as its head announced it. */
export type BodyStart = {
  /** When the request began: tells it from an earlier one at the same address. */
  since: number
  /** `$request_length` before any of the body was read. */
  head: number
  /** -1 where it was not said. */
  length: number
}

export const bodies: Record<number, BodyStart> = {}

let count = 0

/** The address of nginx's structure of the request that is being served. */
export const keyOf = (): number => tonumber(ffi.cast('uintptr_t', ffi.cast('void *', get_request())))!

export function beginRequest(now: number): void {
  const key = keyOf()
  if (live[key] === undefined) count++
  live[key] = now
}

export function endRequest(): void {
  const key = keyOf()
  if (live[key] === undefined) return
  live[key] = undefined
  count--
}

/** How many are under way. */
export function liveCount(): number {
  return count
}

/** To be called before a body is read. A request that switches protocols has none. */
export function expectBody(): void {
  const key = keyOf()
  const since = live[key]
  if (since === undefined || bodies[key]?.since === since || ngx.var.http_upgrade !== undefined) return
  const length = tonumber(ngx.var.http_content_length) ?? -1
  if (length === 0) return
  bodies[key] = { since, head: tonumber(ngx.var.request_length) ?? 0, length }
}
