/**
 * Expressions of the WAF, which look at whole values of any length: with PCRE's JIT, a dot for any byte, `^` and `$` for
 * lines. They are made when a rule first asks, as most levels of a rule set are never asked. The match limit is
 * `lua_regex_match_limit`.
 */
import { destroy_compiled_regex, re_match_compile } from 'resty.core.regex'
import { bytesOutside } from '../bytes/set.ts'
import type { Pattern, PatternCompiler } from '../lib/waf-tools.ts'
import { clock, monotonic } from './clock.ts'
import { type Compiled, exec, noMatch } from './exec-pattern.ts'
import { explodes, firstPart, takesLong } from './exploding-patterns.ts'
import { sharing } from './sharing.ts'
import { beginOnce, chargeNobody } from './thread-time.ts'

type Expression = {
  source: string
  options: string
  compiled: Compiled | undefined
  /** Whether it may take more than a text's length; nothing while no long text was searched. */
  mayExplode: boolean | undefined
}

const expressions = sharing<Expression>()
/** PCRE_ERROR_MATCHLIMIT. */
const gaveUp = -8

export const patternCompiler: PatternCompiler = {
  pattern(source, ignoresCase) {
    const options = ignoresCase ? 'jsmi' : 'jsm'
    return expressions(`${options} ${source}`, () => {
      const [checked, problem] = re_match_compile(source, ignoresCase ? 'smi' : 'sm')
      if (checked === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
      destroy_compiled_regex(checked)
      return { source, options, compiled: undefined, mayExplode: undefined }
    }) as unknown as Pattern
  },
  bytesOutside,
}

function compiledOf(pattern: Pattern): Compiled {
  const expression = pattern as unknown as Expression
  if (expression.compiled !== undefined) return expression.compiled
  const began = beginOnce()
  const [compiled, problem] = re_match_compile(expression.source, expression.options)
  chargeNobody(began)
  if (compiled === undefined) throw new Error(`regular expression: ${tostring(problem)}`)
  expression.compiled = compiled as Compiled
  return expression.compiled
}

/** CPU seconds of a search that nobody expected; the expression is tried on parts from then on. */
const unexpected = 0.005

/** Of a text that is longer than a part: `gaveUp` where it is likely to take long, what was found otherwise. */
function searchLong(expression: Expression, compiled: Compiled, text: string): number {
  if (expression.mayExplode === undefined) {
    const began = beginOnce()
    expression.mayExplode = explodes(expression.source, compiled)
    chargeNobody(began)
  }
  if (expression.mayExplode) return takesLong(compiled, text) ? gaveUp : exec(compiled, text)
  const began = clock(monotonic)
  const found = exec(compiled, text)
  if (clock(monotonic) - began > unexpected) expression.mayExplode = true
  return found
}

/** 1 where it matches, 0 where not, −1 where it gave up. */
export function search(pattern: Pattern, text: string): number {
  const compiled = compiledOf(pattern)
  const found =
    text.length > firstPart ? searchLong(pattern as unknown as Expression, compiled, text) : exec(compiled, text)
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
