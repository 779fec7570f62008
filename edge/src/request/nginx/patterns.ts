/**
 * Regular expressions of the WAF, which search whole values of any length: with PCRE's JIT, DOTALL and MULTILINE. They
 * are compiled on first use, because most levels of a rule set are never used. The match limit is
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
  /** Whether its time may grow faster than a text's length; undefined until a long text was searched. */
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

/** CPU seconds above which a search was unexpectedly slow; from then on the expression is tried on parts first. */
const unexpected = 0.005

/** Searches a text longer than a part. Returns `gaveUp` if it would probably take long, otherwise the result. */
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

/** 1 if it matches, 0 if not, −1 if it gave up. */
export function search(pattern: Pattern, text: string): number {
  const compiled = compiledOf(pattern)
  const found =
    text.length > firstPart ? searchLong(pattern as unknown as Expression, compiled, text) : exec(compiled, text)
  if (found >= 0) return 1
  return found === noMatch ? 0 : -1
}

/** The text of the whole match and of its first nine groups; '' for a group that did not participate. */
export function groups(pattern: Pattern, text: string): string[] {
  const compiled = compiledOf(pattern)
  const found = exec(compiled, text)
  const held: string[] = []
  // `found` is the number of pairs of positions that are filled.
  for (let i = 0; i < found && i < 10; i++) {
    const from = compiled.captures[i * 2]!
    const end = compiled.captures[i * 2 + 1]!
    held.push(from < 0 || end > text.length ? '' : text.substring(from, end))
  }
  return held
}
