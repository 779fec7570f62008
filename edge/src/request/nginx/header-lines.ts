/**
 * The current request's header lines, read from nginx's own memory: no Lua strings are made for those that are not
 * needed.
 */
import * as ffi from 'ffi'
import { get_request } from 'resty.core.base'

const truncated = ffi.new('int[1]')
const headersCounted = 128
/** Headers by lower-case name. A request with more than `headersCounted` is refused before they are read. */
const lines = ffi.new('ngx_http_lua_ffi_table_elt_t[?]', headersCounted)

/** The number of header lines; 1,000 if there are more than can be counted. */
export function headerCount(): number {
  const count = ffi.C.ngx_http_lua_ffi_req_get_headers_count!(get_request(), headersCounted, truncated) as number
  return truncated[0] === 0 ? count : 1000
}

/** Fills `lines` and returns their number; 0 if nginx reports an error. */
function readLines(): number {
  const request = get_request()
  const count = ffi.C.ngx_http_lua_ffi_req_get_headers_count!(request, headersCounted, truncated) as number
  return ffi.C.ngx_http_lua_ffi_req_get_headers!(request, lines, count, 0) === 0 ? count : 0
}

/**
 * All values of a header that was sent more than once. Newer nginx joins them in its variable, older nginx has only the
 * first.
 */
export function repeatedNow(name: string): readonly string[] | undefined {
  const count = readLines()
  const bytes = name.length
  let found = 0
  let at = 0
  while (at < count) {
    const { key } = lines[at]
    if (key.len === bytes && ffi.C.memcmp!(key.data, name, bytes) === 0) found++
    at++
  }
  return found > 1 ? valuesOf(name, count) : undefined
}

function valuesOf(name: string, count: number): readonly string[] {
  const values: string[] = []
  for (let at = 0; at < count; at++) {
    const { key, value } = lines[at]
    if (ffi.string(key.data, key.len) === name) values.push(ffi.string(value.data, value.len))
  }
  return values
}

/** Removes the headers whose lower-case names begin with `beginning`. */
export function dropHeadersWith(beginning: string): void {
  const count = readLines()
  const bytes = beginning.length
  let at = 0
  while (at < count) {
    const { key } = lines[at]
    if (key.len >= bytes && ffi.C.memcmp!(key.data, beginning, bytes) === 0) {
      dropNamed(beginning)
      return
    }
    at++
  }
}

/** Removing a header moves the others in memory, so their names are copied first. */
function dropNamed(beginning: string): void {
  for (const name in ngx.req.get_headers(0)) if (name.startsWith(beginning)) ngx.req.clear_header(name)
}
