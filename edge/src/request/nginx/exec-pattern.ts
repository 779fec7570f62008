/** Searches with a compiled expression, by PCRE's own codes: how many groups were found, or below nothing why none was. */
import * as ffi from 'ffi'

/** What resty.core.regex makes; where each group begins and ends, after a search. */
export type Compiled = { captures: Record<number, number> }

/** FLAG_JIT of resty.core.regex. */
const jit = 4
/** PCRE_ERROR_NOMATCH; what is less is why the search gave up. */
export const noMatch = -1

export const execOn = (compiled: Compiled, bytes: unknown, length: number): number =>
  ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, bytes, length, 0) as number

export const exec = (compiled: Compiled, text: string): number => execOn(compiled, text, text.length)
