/**
 * Regular expressions that belong to compiled sites and are freed with them. nginx's own cache is shared by the whole
 * process: once it is full, every match compiles again. The match limit is `lua_regex_match_limit`.
 *
 * Machine code takes some kilobytes per expression, and most expressions are never tried, because the one that combines
 * many rules finds that none matches. So an expression is checked when its site is compiled, and compiled on first use.
 */
import * as ffi from 'ffi'
import { destroy_compiled_regex, re_match_compile } from 'resty.core.regex'
import { anyOf } from '../lib/any-of.ts'
import type { Regex } from '../lib/guard.ts'
import { secondOf } from '../lib/second-of.ts'
import { clock, monotonic } from './clock.ts'
import { raise } from './raise.ts'
import { sharing } from './sharing.ts'

type Expression = { source: string; compiled: unknown; second: number | undefined }

const expressions = sharing<Expression>()

/** One object for all equal expressions of all sites. Throws on a syntax error. */
export function compileRegex(source: string): Regex {
  return expressions(source, () => {
    const [checked, problem] = re_match_compile(source, '')
    if (checked === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
    destroy_compiled_regex(checked)
    return { source, compiled: undefined, second: secondOf(source) }
  }) as unknown as Regex
}

/** The alternatives as a single expression. Returns undefined if together they are too large. */
export function compileAnyOf(sources: readonly string[]): Regex | undefined {
  const [compiled] = re_match_compile(anyOf(sources), 'j')
  return compiled === undefined ? undefined : ({ source: '', compiled, second: undefined } as unknown as Regex)
}

/** Whether the second character alone rules out a match: most path rules are dismissed this way. */
export function cannotMatch(regex: Regex, text: string): boolean {
  const { second } = regex as unknown as Expression
  return second !== undefined && text.charCodeAt(1) !== second
}

/** Compiles with PCRE's JIT. */
function compiledNow(expression: Expression): unknown {
  const [compiled, problem] = re_match_compile(expression.source, 'j')
  if (compiled === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
  expression.compiled = compiled
  return compiled
}

/** FLAG_JIT of resty.core.regex. */
const jit = 4

/** Longer subjects are cut here: no rule about paths needs more, and time grows with length. */
const subjectMax = 8192

let tried = 0

/** Seconds that the last expression took, without compiling it and without what LuaJIT compiles in the meantime. */
export const secondsTried = (): number => tried

function exec(regex: Regex, text: string): number {
  const expression = regex as unknown as Expression
  const compiled = expression.compiled ?? compiledNow(expression)
  const began = clock(monotonic)
  const found = ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, text, math.min(text.length, subjectMax), 0)
  tried = clock(monotonic) - began
  return found as number
}

export const mayMatchRegex = (regex: Regex, text: string): boolean => exec(regex, text) !== -1

/**
 * Whether a text matches. Throws if the expression reaches its limit: the request is then refused, for allow and deny
 * rules alike.
 */
export function matchesRegex(regex: Regex, text: string): boolean {
  const found = exec(regex, text)
  if (found >= 0) return true
  if (found === -1) return false
  return raise(`a regular expression gave up (${found})`)
}
