/**
 * Expressions that take more than a text's length: which they are, found out by probes, and whether one of them is likely
 * to take longer on a text than others on the worker should wait.
 */
import * as ffi from 'ffi'
import { clock, monotonic, ofThisThread } from './clock.ts'
import { type Compiled, exec, execOn, noMatch } from './exec-pattern.ts'

/** Bytes of a text that is searched at once. Of a longer one, parts of this length are tried first, then of four times it. */
export const firstPart = 128
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
export function takesLong(compiled: Compiled, text: string): boolean {
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
export function explodes(source: string, compiled: Compiled): boolean {
  for (const piece of piecesFor(source)) {
    const ofShort = timeOfProbe(compiled, piece, shortProbe)
    if (ofShort > probePatience) return true
    const ofLong = timeOfProbe(compiled, piece, longProbe)
    if (ofLong > worthLooking && ofLong > growthOfProbe * ofShort) return true
  }
  return false
}
