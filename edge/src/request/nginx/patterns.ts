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
type Expression = {
  source: string
  options: string
  compiled: Compiled | undefined
  /** Whether it may take more than a text's length; nothing while no long text was searched. */
  mayExplode: boolean | undefined
}

const expressions = sharing<Expression>()
/** FLAG_JIT of resty.core.regex. */
const jit = 4
/** PCRE_ERROR_NOMATCH and PCRE_ERROR_MATCHLIMIT. */
const [noMatch, gaveUp] = [-1, -8]

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

const execOn = (compiled: Compiled, bytes: unknown, length: number): number =>
  ffi.C.ngx_http_lua_ffi_exec_regex!(compiled, jit, bytes, length, 0) as number

const exec = (compiled: Compiled, text: string): number => execOn(compiled, text, text.length)

/** Bytes of a text that is searched at once. Of a longer one, parts of this length are tried first, then of four times it. */
const firstPart = 512
const growth = 4
/** The worst expressions take the cube of a text's length, and so many times as long of the next larger part. */
const powerMax = 3
const growthOfTimeMax = growth ** powerMax
/** CPU seconds that a search may take, as far as its parts tell. */
const patience = 0.02

/** A search that took long is made so often again: an interrupt, or a page that is not in memory yet, counts as the thread's time. */
const repeatedMax = 4

/** CPU seconds of a search in part of a text, which took `passed`. */
function timeOf(compiled: Compiled, bytes: unknown, length: number, passed: number): number {
  let took = passed
  let repeated = 0
  let spent = 0
  while (took * growthOfTimeMax > patience && repeated < repeatedMax && spent < patience) {
    const started = clock(ofThisThread)
    execOn(compiled, bytes, length)
    const again = clock(ofThisThread) - started
    if (again < took) took = again
    spent += again
    repeated++
  }
  return took
}

/**
 * CPU seconds that the slowest part of the next size is likely to take, which is four times as long as this one, or the
 * whole text: by how much longer this one took than the one before, from as its length to as the cube of it.
 */
function expectedOf(slowest: number, before: number, partsOfText: number): number {
  const longer = math.min(growth, partsOfText)
  const power = before === 0 ? powerMax : math.log(slowest / before) / math.log(growth)
  return slowest * longer ** math.min(powerMax, math.max(1, power))
}

/**
 * Whether a search is likely to take longer than others on this worker should wait. PCRE's match limit counts no
 * repetitions of single characters, and begins anew at each place: 4 KB of `<` took an expression of the Core Rule Set
 * seven seconds. So parts are tried before the whole, while the next larger ones can be expected to be quick.
 */
function takesLong(compiled: Compiled, text: string): boolean {
  const bytes = ffi.cast('const unsigned char *', text)
  let slowestBefore = 0
  let all = 0
  for (let part = firstPart; part < text.length; part *= growth) {
    let slowest = 0
    let last = clock(monotonic)
    for (let from = 0; from < text.length; from += part) {
      const length = math.min(part, text.length - from)
      // Whoever gives up on a part gives up on the whole.
      if (execOn(compiled, bytes + from, length) < noMatch) return true
      const took = timeOf(compiled, bytes + from, length, clock(monotonic) - last)
      all += took
      if (took > slowest) slowest = took
      const isClose = all > patience || slowest * growthOfTimeMax > patience
      if (isClose && all + expectedOf(slowest, slowestBefore, text.length / part) > patience) return true
      last = clock(monotonic)
    }
    slowestBefore = slowest
  }
  return false
}

/** Bytes of the texts that an expression is probed with, and CPU seconds that none of them may take. */
const [shortProbe, longProbe, probePatience] = [512, 2048, 0.001]
/** The longer probe takes four times as long where a search takes as long as its text is. */
const [growthOfProbe, worthLooking] = [8, 0.00003]
const fillings = [' ', '\t', '\n', 'a', '0']

/** What an expression may go astray on: what it names itself, over and over, alone and with a letter or a blank. */
function piecesFor(source: string): string[] {
  const pieces = [...fillings]
  const seen: Record<string, boolean> = {}
  for (let at = 0; at < source.length; at++) {
    const char = source.charAt(at)
    const code = source.charCodeAt(at)
    const isPlain = (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
    if (isPlain || seen[char] === true) continue
    seen[char] = true
    pieces.push(char, `${char}a`, `${char} `)
  }
  return pieces
}

/** CPU seconds; far too many for one that gave up. */
function timeOfProbe(compiled: Compiled, piece: string, length: number): number {
  const text = piece.repeat(Math.ceil(length / piece.length))
  const began = clock(monotonic)
  const found = exec(compiled, text)
  return found < noMatch ? shortProbe : clock(monotonic) - began
}

/** Whether an expression takes more than four times as long of a text four times as long. Once for each that long texts come to. */
function explodes(source: string, compiled: Compiled): boolean {
  for (const piece of piecesFor(source)) {
    const ofShort = timeOfProbe(compiled, piece, shortProbe)
    if (ofShort > probePatience) return true
    const ofLong = timeOfProbe(compiled, piece, longProbe)
    if (ofLong > worthLooking && ofLong > growthOfProbe * ofShort) return true
  }
  return false
}

/** CPU seconds of a search that nobody expected; the expression is tried on parts from then on. */
const unexpected = 0.005

/** Of a text that is longer than a part: `gaveUp` where it is likely to take long, what was found otherwise. */
function searchLong(expression: Expression, compiled: Compiled, text: string): number {
  if (expression.mayExplode === undefined) {
    const started = clock(ofThisThread)
    expression.mayExplode = explodes(expression.source, compiled)
    compiling += clock(ofThisThread) - started
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
