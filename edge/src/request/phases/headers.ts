/** A customer's own headers. They come from a table and are set through nginx's API, which knows no line breaks in them. */
import { unkeyedHeaders } from '@breakwater/contract/edge/header-names.ts'
import { firstOf } from '../lib/first-of.ts'
import type { HeaderChange } from '../sites/compile.ts'

const isUnkeyed: Record<string, boolean> = {}
for (const name of unkeyedHeaders) isUnkeyed[name] = true

/** Changes that LuaJIT surely compiles as one piece. */
const changesInPiece = 8

function change(this: void, { name, value }: HeaderChange): undefined {
  ngx.header[name] = value === '' ? undefined : value
}

/** Each of them, as none has an answer that would end it: without a loop, which would keep a hit's phase in pieces. */
const { first: changeEach } = firstOf<HeaderChange, undefined, undefined, undefined>(changesInPiece, change)

/** Of what the visitor gets. */
export function changeHeaders(changes: HeaderChange[]): void {
  changeEach(changes, undefined, undefined)
}

/** Tells browsers to come over TLS alone, where the site wants that: a promise that only an answer over TLS can make. */
export function sayHsts(hsts: string): void {
  if (ngx.var.scheme === 'https') ngx.header['Strict-Transport-Security'] = hsts
}

/** Of what the origin gets. */
export function changeRequest(changes: HeaderChange[]): void {
  for (const { name, value } of changes) {
    if (value === '') ngx.req.clear_header(name)
    else ngx.req.set_header(name, value)
  }
}

/** nginx makes a 416 of an answer whose headers it has added already, and would add them a second time. */
export function sayOnce(): void {
  if (ngx.status !== 416) return
  ngx.header['X-Cache'] = undefined
  ngx.header['X-Request-ID'] = undefined
}

/** Removes from a request what would change a cacheable answer without being part of its key; `allowed` is. */
export function dropUnkeyed(allowed: readonly string[] | undefined): void {
  const given = ngx.req.get_headers(128)
  for (const name in given) {
    if (isUnkeyed[name] === true && !(allowed?.includes(name) ?? false)) ngx.req.clear_header(name)
  }
}

/** Compression made the origin's strong tags weak; by If-Match, which takes strong ones only, the origin gets its own back. */
export function unweakenIfMatch(): void {
  const given = ngx.var.http_if_match as string | undefined
  if (given !== undefined && given.indexOf('W/"') >= 0) ngx.req.set_header('If-Match', given.split('W/"').join('"'))
}
