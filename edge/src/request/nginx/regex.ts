/**
 * Regular expressions that belong to a compiled site and are freed with it. nginx's own cache is one for the whole
 * process: past its size every match compiles again (DESIGN §5). The match limit is `lua_regex_match_limit`.
 */
import * as ffi from 'ffi'
import { re_match_compile } from 'resty.core.regex'
import type { Regex } from '../guard.ts'

/** Compiled with PCRE's JIT. Throws on a syntax error. */
export function compileRegex(source: string): Regex {
  const [compiled, problem] = re_match_compile(source, 'j')
  if (compiled === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
  return compiled as Regex
}

/** The alternatives as one expression; nothing where together they are too large or name a group twice. */
export function compileAnyOf(sources: readonly string[]): Regex | undefined {
  const [compiled] = re_match_compile(sources.map((source) => `(?:${source})`).join('|'), 'j')
  return compiled as Regex | undefined
}

/** FLAG_JIT of resty.core.regex. */
const jit = 4

/** A subject is cut here: no rule about paths needs more, and time grows with it. */
const subjectMax = 8192

const exec = (regex: Regex, text: string) =>
  ffi.C.ngx_http_lua_ffi_exec_regex!(regex, jit, text, math.min(text.length, subjectMax), 0) as number

export const mayMatchRegex = (regex: Regex, text: string): boolean => exec(regex, text) !== -1

/** Whether a text matches. An expression that runs into its limit throws: the request is refused, allow rule or deny rule alike. */
export function matchesRegex(regex: Regex, text: string): boolean {
  const found = exec(regex, text)
  if (found >= 0) return true
  if (found === -1) return false
  throw new Error(`a regular expression gave up (${found})`)
}
