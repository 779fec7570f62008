/**
 * The regular expressions that a customer may write: a subset that means the same in PCRE and in JavaScript, and that
 * cannot explode. The check is structural: it rejects whatever makes backtracking super-linear, for any text.
 */

export type RegexProblem = 'regexSyntax' | 'regexUnsupported' | 'regexTooComplex'

/** The most unbounded quantifiers of one expression, and the largest counted repetition. */
const unboundedMax = 12
const repetitionMax = 1000
/** A larger repetition is as good as unbounded: three of `.{0,1000}` in a row explode as well. */
const boundedMax = 32

type Node = { quantified: boolean; hasUnbounded: boolean; hasAlternation: boolean }

/**
 * Escapes that mean the same in both engines: character classes and four control characters. A backslash before ASCII
 * punctuation makes it literal.
 */
const escaped = /^\\[dDwWsStnrf !-/:-@[-`{-~]/
/** One member of a bracket class: no `[`, which excludes POSIX classes (`[:alpha:]`, `[.a.]`, `[=a=]`). */
const member = /^[ -Z^-~]/
/**
 * A literal character, or an operator that the scanner below knows. The edge reads bytes: a character beyond ASCII is
 * several there, so it cannot be in a bracket class or be repeated.
 */
const plain = /^(?:[ -Z\]-~]|[\u0080-\uffff](?![*+?{]))/
/** A brace that newer PCRE reads as a repetition, and JavaScript as a literal. */
const strangeBrace = /^\{(?!\d+(?:,\d*)?\})[\d,\s]/

/** Whether a source has known constructs only: a list of what is allowed, since engines keep adding others. */
function isAllowed(source: string): boolean {
  let at = 0
  while (at < source.length) {
    const rest = source.slice(at, at + 16)
    if (rest.startsWith('[')) {
      const end = endOfClass(source, at)
      if (end === undefined) return false
      at = end
      continue
    }
    if (/^\(\?(?!:)/.test(rest) || strangeBrace.test(source.slice(at))) return false
    const found = escaped.exec(rest) ?? plain.exec(rest)
    if (!found) return false
    at += found[0].length
  }
  return true
}

/**
 * Where a bracket class ends; undefined if something in it is not allowed. The meaning of an empty class differs
 * between engines, and so does that of a range from or to `\d`.
 */
function endOfClass(source: string, start: number): number | undefined {
  let at = start + (source[start + 1] === '^' ? 2 : 1)
  if (source[at] === ']') return undefined
  let before = ''
  while (at < source.length && source[at] !== ']') {
    const rest = source.slice(at, at + 2)
    const found = (escaped.exec(rest) ?? member.exec(rest))?.[0]
    if (found === undefined) return undefined
    const isType = /^\\[dDwWsS]$/.test(found)
    const next = source[at + found.length]
    const isRangeSign = found === '-' && before !== '' && next !== ']'
    if (isRangeSign && (/^\\[dDwWsS]$/.test(before) || /^\\[dDwWsS]/.test(source.slice(at + 1)))) return undefined
    before = isType || !isRangeSign ? found : ''
    at += found.length
  }
  return at < source.length ? at + 1 : undefined
}

/**
 * Returns why an expression is rejected, or undefined. Allowed are characters, `.`, `^`, `$`, `|`, groups, bracket
 * classes, counted and open repetitions, and the escapes above. Rejected among these: quantifiers on a group that
 * itself has an unbounded quantifier or an alternation (the shapes `(a+)+`, `(a|a)*`), and two adjacent unbounded
 * quantifiers that can match the same text (`.*.*`, `\d+\d+`).
 */
export function checkUrlRegex(source: string): RegexProblem | undefined {
  try {
    new RegExp(source)
  } catch {
    return 'regexSyntax'
  }
  if (!isAllowed(source)) return 'regexUnsupported'
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
    // The set of the last unbounded atom, as long as nothing mandatory has come after it.
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
