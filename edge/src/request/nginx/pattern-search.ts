/**
 * Searches for expressions of the WAF, with any engine: they search whole values of any length, with DOTALL and
 * MULTILINE. They are compiled on first use, because most levels of a rule set are never used.
 */
import { bytesOutside } from '../bytes/set.ts'
import type { Pattern, PatternCompiler, WafMatching } from '../lib/waf-tools.ts'
import { clock } from './clock.ts'
import { explodes, firstPart, noMatch, type Timed, takesLong } from './exploding-patterns.ts'
import { sharing } from './sharing.ts'
import { beginOnce, chargeNobody } from './thread-time.ts'

/** A library for regular expressions. `C` is a compiled one. */
export type Engine<C> = Timed<C> & {
  /** Throws on a syntax error. */
  check(this: void, source: string, ignoresCase: boolean): void
  compile(this: void, source: string, ignoresCase: boolean): C
  /** After a match: where a group begins (`at` is twice its number) or ends (one more); −1 if it took no part. */
  placeOf(this: void, compiled: C, at: number): number
}

type Expression<C> = {
  source: string
  ignoresCase: boolean
  compiled: C | undefined
  /** Whether its time may grow faster than a text's length; undefined until a long text was searched. */
  mayExplode: boolean | undefined
}

/** What the searches return if they gave up; any value below `noMatch`. */
const gaveUp = -8

/** CPU seconds above which a search was unexpectedly slow; from then on the expression is tried on parts first. */
const unexpected = 0.005

export type Patterns = { patternCompiler: PatternCompiler } & Pick<WafMatching, 'search' | 'groups'>

/** The searches of one engine. They throw if an expression that was checked before does not compile. */
export function patternsOf<C>(engine: Engine<C>): Patterns {
  const { check, compile, execOn, placeOf, timedBy } = engine
  const expressions = sharing<Expression<C>>()

  function compiledOf(pattern: Pattern): C {
    const expression = pattern as unknown as Expression<C>
    if (expression.compiled !== undefined) return expression.compiled
    const began = beginOnce()
    const compiled = compile(expression.source, expression.ignoresCase)
    chargeNobody(began)
    expression.compiled = compiled
    return compiled
  }

  /** Searches a text longer than a part. Returns `gaveUp` if it would probably take long, otherwise the result. */
  function searchLong(expression: Expression<C>, compiled: C, text: string): number {
    if (expression.mayExplode === undefined) {
      const began = beginOnce()
      expression.mayExplode = explodes(expression.source, compiled, engine)
      chargeNobody(began)
    }
    if (expression.mayExplode) return takesLong(compiled, text, engine) ? gaveUp : execOn(compiled, text, text.length)
    const began = clock(timedBy)
    const found = execOn(compiled, text, text.length)
    if (clock(timedBy) - began > unexpected) expression.mayExplode = true
    return found
  }

  return {
    patternCompiler: {
      pattern: (source, ignoresCase) =>
        expressions(`${ignoresCase ? 'i' : 's'} ${source}`, () => {
          check(source, ignoresCase)
          return { source, ignoresCase, compiled: undefined, mayExplode: undefined }
        }) as unknown as Pattern,
      bytesOutside,
    },
    search(pattern, text) {
      const compiled = compiledOf(pattern)
      const found =
        text.length > firstPart
          ? searchLong(pattern as unknown as Expression<C>, compiled, text)
          : execOn(compiled, text, text.length)
      if (found >= 0) return 1
      return found === noMatch ? 0 : -1
    },
    groups(pattern, text) {
      const compiled = compiledOf(pattern)
      const found = execOn(compiled, text, text.length)
      const held: string[] = []
      // `found` is the number of pairs of positions that are filled.
      for (let i = 0; i < found && i < 10; i++) {
        const from = placeOf(compiled, i * 2)
        const end = placeOf(compiled, i * 2 + 1)
        held.push(from < 0 || end > text.length ? '' : text.substring(from, end))
      }
      return held
    },
  }
}
