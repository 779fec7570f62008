/**
 * The regular expressions a customer may write: a subset that reads the same in PCRE and in JavaScript, and that
 * cannot explode. The check is structural: it refuses what makes backtracking super-linear, whatever the text.
 */

export type RegexProblem = 'regexSyntax' | 'regexUnsupported' | 'regexTooComplex'

/** Unbounded quantifiers that one expression may have, and the largest counted repetition. */
const unboundedMax = 12
const repetitionMax = 1000
/** A repetition of more than this is as good as unbounded: three of `.{0,1000}` side by side explode as well. */
const boundedMax = 32

type Node = { quantified: boolean; hasUnbounded: boolean; hasAlternation: boolean }

/**
 * Returns why an expression is refused, or nothing. Refused: look-around, back-references, named groups, possessive and
 * lazy-in-group tricks, quantifiers on a group that itself holds an unbounded quantifier or an alternation (the shapes
 * `(a+)+`, `(a|a)*`), and two unbounded quantifiers that can match the same text side by side (`.*.*`, `\d+\d+`).
 */
export function checkUrlRegex(source: string): RegexProblem | undefined {
  try {
    new RegExp(source)
  } catch {
    return 'regexSyntax'
  }
  if (/\(\?(?!:)/.test(source) || /\\[1-9kpPbBGKZzAQExuc]/.test(source)) return 'regexUnsupported'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\u0000-\u001f\u007f]/.test(source)) return 'regexUnsupported'
  return new Scanner(source).problem()
}

const quantifier = /^(?:([*+?])|\{(\d+)(,(\d*))?\})([?+])?/

class Scanner {
  private readonly source: string
  private at = 0
  private unbounded = 0

  constructor(source: string) {
    this.source = source
  }

  problem(): RegexProblem | undefined {
    const found = this.alternatives(0)
    if (typeof found === 'string') return found
    return this.unbounded > unboundedMax ? 'regexTooComplex' : undefined
  }

  /** Reads alternatives until a closing parenthesis or the end. */
  private alternatives(depth: number): Node | RegexProblem {
    const node: Node = { quantified: false, hasUnbounded: false, hasAlternation: false }
    // The set of the last unbounded atom while nothing mandatory has stood between it and here.
    let openRun: string | undefined
    if (depth > 8) return 'regexTooComplex'
    while (this.at < this.source.length) {
      const char = this.source[this.at]!
      if (char === ')') break
      if (char === '|') {
        node.hasAlternation = true
        openRun = undefined
        this.at += 1
        continue
      }
      if (char === '^' || char === '$') {
        this.at += 1
        continue
      }
      const start = this.at
      let inner: Node | undefined
      if (char === '(') {
        this.at += this.source.startsWith('(?:', this.at) ? 3 : 1
        const group = this.alternatives(depth + 1)
        if (typeof group === 'string') return group
        inner = group
        this.at += 1
      } else this.atom()
      const text = this.source.slice(start, this.at)
      const count = this.quantified()
      if (count === 'possessive') return 'regexUnsupported'
      if (count === undefined) {
        if (inner?.hasUnbounded) {
          node.hasUnbounded = true
          openRun = '.'
        } else openRun = undefined
        continue
      }
      if (count.max > repetitionMax && count.max !== Number.POSITIVE_INFINITY) return 'regexTooComplex'
      const repeats = count.max > 1
      if (inner && repeats && (inner.hasUnbounded || inner.hasAlternation || inner.quantified)) return 'regexTooComplex'
      node.quantified = true
      if (count.max > boundedMax) {
        this.unbounded += 1
        if (openRun !== undefined && overlap(openRun, text)) return 'regexTooComplex'
        node.hasUnbounded = true
        openRun = text
      } else if (count.min > 0) openRun = undefined
    }
    return node
  }

  private atom(): void {
    const char = this.source[this.at]!
    if (char === '\\') this.at += 2
    else if (char === '[') {
      this.at += 1
      if (this.source[this.at] === '^') this.at += 1
      if (this.source[this.at] === ']') this.at += 1
      while (this.at < this.source.length && this.source[this.at] !== ']')
        this.at += this.source[this.at] === '\\' ? 2 : 1
      this.at += 1
    } else this.at += 1
  }

  private quantified(): { min: number; max: number } | 'possessive' | undefined {
    const match = quantifier.exec(this.source.slice(this.at))
    if (!match) return undefined
    this.at += match[0].length
    if (match[5] === '+') return 'possessive'
    if (match[1] === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
    if (match[1] === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
    if (match[1] === '?') return { min: 0, max: 1 }
    const min = Number(match[2])
    if (match[3] === undefined) return { min, max: min }
    return { min, max: match[4] === '' ? Number.POSITIVE_INFINITY : Number(match[4]) }
  }
}

/** Whether two atoms can match a common character; groups and unknown classes count as overlapping. */
function overlap(left: string, right: string): boolean {
  if (left.startsWith('(') || right.startsWith('(')) return true
  const a = new RegExp(`^${left}$`, 's')
  const b = new RegExp(`^${right}$`, 's')
  for (let code = 32; code < 127; code += 1) {
    const char = String.fromCharCode(code)
    if (a.test(char) && b.test(char)) return true
  }
  return a.test('é') && b.test('é')
}
