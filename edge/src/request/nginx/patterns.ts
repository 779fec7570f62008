/**
 * Expressions of the WAF, which look at whole values of any length: with PCRE's JIT, a dot for any byte, `^` and `$` for
 * lines. They are made when a rule first asks, as most levels of a rule set are never asked. The match limit is
 * `lua_regex_match_limit`.
 */
import * as ffi from 'ffi'
import { destroy_compiled_regex, re_match_compile } from 'resty.core.regex'
import { bytesOutside } from '../bytes/set.ts'
import type { Pattern, PatternCompiler } from '../lib/waf-tools.ts'
import { clock, monotonic, ofThisThread } from './clock.ts'
import { sharing } from './sharing.ts'

type Compiled = { captures: Record<number, number> }
type Expression = { source: string; options: string; compiled: Compiled | undefined }

const expressions = sharing<Expression>()
/** FLAG_JIT of resty.core.regex. */
const jit = 4
const noMatch = -1

export const patternCompiler: PatternCompiler = {
  pattern(source, ignoresCase) {
    const options = ignoresCase ? 'jsmi' : 'jsm'
    return expressions(`${options} ${source}`, () => {
      const [checked, problem] = re_match_compile(source, ignoresCase ? 'smi' : 'sm')
      if (checked === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
      destroy_compiled_regex(checked)
      return { source, options, compiled: undefined }
    }) as unknown as Pattern
  },
  bytesOutside,
}

/** CPU seconds that went into making expressions, which each worker does once: no request is held against them. */
let compiling = 0

/** What `matchingTime` said last, and when that was. */
let [lastTime, lastSaid] = [0, 0]

/** CPU seconds of this thread, without those. */
export function matchingTime(): number {
  lastTime = clock(ofThisThread) - compiling
  lastSaid = clock(monotonic)
  return lastTime
}

/** A thread takes no more CPU time than time passes, which the kernel need not be asked for: that clock costs a fifth. */
export const isPast = (until: number): boolean =>
  lastTime + clock(monotonic) - lastSaid > until && matchingTime() > until

function compiledOf(pattern: Pattern): Compiled {
  const expression = pattern as unknown as Expression
  if (expression.compiled !== undefined) return expression.compiled
  const started = clock(ofThisThread)
  const [compiled, problem] = re_match_compile(expression.source, expression.options)
  compiling += clock(ofThisThread) - started
  if (compiled === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
  expression.compiled = compiled as Compiled
  return expression.compiled
}

const exec = (compiled: Compiled, text: string): number =>
  ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, text, text.length, 0) as number

/** 1 where it matches, 0 where not, −1 where it gave up. */
export function search(pattern: Pattern, text: string): number {
  const found = exec(compiledOf(pattern), text)
  if (found >= 0) return 1
  return found === noMatch ? 0 : -1
}

/** What the whole match and its first nine groups hold; '' for one that took no part. */
export function groups(pattern: Pattern, text: string): string[] {
  const compiled = compiledOf(pattern)
  const found = exec(compiled, text)
  const held: string[] = []
  // What was found says how many pairs of places are filled.
  for (let i = 0; i < found && i < 10; i++) {
    const from = compiled.captures[i * 2]!
    const end = compiled.captures[i * 2 + 1]!
    held.push(from < 0 || end > text.length ? '' : text.substring(from, end))
  }
  return held
}
