/**
 * The requests in progress in this worker, by the address of nginx's request structure. The log phase removes each one
 * before nginx frees it, so every address in here is valid.
 */
import * as ffi from 'ffi'
import { get_request } from 'resty.core.base'

/** When each request began, in epoch seconds. Set to undefined instead of deleted: that saves a look-up per request. */
const live: Record<number, number | undefined> = {}

/** All requests in progress; read only. */
export const liveRequests = (): Record<number, number | undefined> => live

/** A request's body as its headers announced it. */
export type BodyStart = {
  /** When the request began: distinguishes it from an earlier one at the same address. */
  since: number
  /** `$request_length` before any of the body was read. */
  head: number
  /** -1 if it is unknown. */
  length: number
}

export const bodies: Record<number, BodyStart> = {}

let count = 0

/** The address of nginx's structure for the current request. */
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

/** The number of requests in progress. */
export function liveCount(): number {
  return count
}

/** Call before a body is read. A request that switches protocols has none. */
export function expectBody(): void {
  const key = keyOf()
  const since = live[key]
  if (since === undefined || bodies[key]?.since === since || ngx.var.http_upgrade !== undefined) return
  const length = tonumber(ngx.var.http_content_length) ?? -1
  if (length === 0) return
  bodies[key] = { since, head: tonumber(ngx.var.request_length) ?? 0, length }
}
