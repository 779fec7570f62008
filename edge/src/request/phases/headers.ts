/**
 * A customer's own headers. They come from a table and are set through nginx's API, which does not allow line breaks in
 * them.
 */
import { unkeyedHeaders } from '@breakwater/contract/edge/header-names.ts'
import { firstOf } from '../lib/first-of.ts'
import type { HeaderChange } from '../sites/compile.ts'

const isUnkeyed: Record<string, boolean> = {}
for (const name of unkeyedHeaders) isUnkeyed[name] = true

/** The number of changes that LuaJIT reliably compiles as one trace. */
const changesInTrace = 8

function change(this: void, { name, value }: HeaderChange): undefined {
  ngx.header[name] = value === '' ? undefined : value
}

/**
 * Applies every change: `change` never returns a value that would end the chain. Without a loop, which would split a
 * hit's phase into several traces.
 */
const { first: changeEach } = firstOf<HeaderChange, undefined, undefined, undefined>(changesInTrace, change)

/** Changes response headers for the visitor. */
export function changeHeaders(changes: HeaderChange[]): void {
  changeEach(changes, undefined, undefined)
}

/** Sets HSTS if the site wants it; browsers honor it only over TLS. */
export function sayHsts(hsts: string): void {
  if (ngx.var.scheme === 'https') ngx.header['Strict-Transport-Security'] = hsts
}

/** Changes request headers for the origin. */
export function changeRequest(changes: HeaderChange[]): void {
  for (const { name, value } of changes) {
    if (value === '') ngx.req.clear_header(name)
    else ngx.req.set_header(name, value)
  }
}

/** nginx turns a response into a 416 after these headers were added, and would add them a second time. */
export function sayOnce(): void {
  if (ngx.status !== 416) return
  ngx.header['X-Cache'] = undefined
  ngx.header['X-Request-ID'] = undefined
}

/**
 * Removes request headers that would change a cacheable response without being part of its key; those in `allowed` are
 * part of it.
 */
export function dropUnkeyed(allowed: readonly string[] | undefined): void {
  const given = ngx.req.get_headers(128)
  for (const name in given) {
    if (isUnkeyed[name] === true && !(allowed?.includes(name) ?? false)) ngx.req.clear_header(name)
  }
}

/**
 * Compression made the origin's strong entity tags weak. If-Match accepts strong ones only, so the origin gets its own
 * tag back.
 */
export function unweakenIfMatch(): void {
  const given = ngx.var.http_if_match as string | undefined
  if (given !== undefined && given.indexOf('W/"') >= 0) ngx.req.set_header('If-Match', given.split('W/"').join('"'))
}
