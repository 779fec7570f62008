/** Runs a compiled expression and returns PCRE's own code: the number of groups found, or a negative error code. */
import * as ffi from 'ffi'

/** What resty.core.regex creates; after a search, `captures` holds where each group begins and ends. */
export type Compiled = { captures: Record<number, number> }

/** FLAG_JIT of resty.core.regex. */
const jit = 4
/** PCRE_ERROR_NOMATCH; lower values say why the search gave up. */
export const noMatch = -1

export const execOn = (compiled: Compiled, bytes: unknown, length: number): number =>
  ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, bytes, length, 0) as number

export const exec = (compiled: Compiled, text: string): number => execOn(compiled, text, text.length)
