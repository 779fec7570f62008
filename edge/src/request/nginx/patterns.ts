/**
 * Expressions of the WAF in a worker: with the PCRE of nginx's Lua module and its JIT. The match limit is
 * `lua_regex_match_limit`.
 */
import * as ffi from 'ffi'
import { destroy_compiled_regex, re_match_compile } from 'resty.core.regex'
import { monotonic } from './clock.ts'
import { patternsOf } from './pattern-search.ts'

/** What resty.core.regex creates; after a search, `captures` holds where each group begins and ends. */
type Compiled = { captures: Record<number, number> }

/** FLAG_JIT of resty.core.regex. */
const jit = 4

export const { patternCompiler, search, groups } = patternsOf<Compiled>({
  check(source, ignoresCase) {
    const [checked, problem] = re_match_compile(source, ignoresCase ? 'smi' : 'sm')
    if (checked === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
    destroy_compiled_regex(checked)
  },
  compile(source, ignoresCase) {
    const [compiled, problem] = re_match_compile(source, ignoresCase ? 'jsmi' : 'jsm')
    if (compiled === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
    return compiled as Compiled
  },
  execOn: (compiled, bytes, length) => ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, bytes, length, 0) as number,
  placeOf: ({ captures }, at) => captures[at]!,
  timedBy: monotonic,
})
