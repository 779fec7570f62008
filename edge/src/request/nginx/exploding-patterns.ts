/**
 * Expressions whose time grows faster than a text's length: finds out by probes which they are, and predicts whether
 * one would take longer on a text than other requests on the worker should wait.
 */
import * as ffi from 'ffi'
import { clock, ofThisThread } from './clock.ts'

/** Runs a compiled expression; returns the number of groups found, `noMatch`, or a lower value if it gave up. */
export type ExecOn<C> = (this: void, compiled: C, bytes: unknown, length: number) => number
/** The same value in PCRE and PCRE2. */
export const noMatch = -1
/** An engine's search, and the clock by which its searches are timed (`clock.ts`). */
export type Timed<C> = { execOn: ExecOn<C>; timedBy: number }

/**
 * A text of up to this many bytes is searched at once. For a longer one, parts of this length are tried first, then
 * parts four times as long.
 */
export const firstPart = 128
const growth = 4
/**
 * The worst expressions take time cubic in a text's length; this is how much longer the next larger part may then take.
 */
const powerMax = 3
const growthOfTimeMax = growth ** powerMax
/** CPU seconds that a search may take, as predicted from its parts. */
const patience = 0.02

/** A search that took long is repeated up to this often: an interrupt or a page fault counts as the thread's time. */
const repeatedMax = 4

/** CPU seconds of a search in part of a text. `passed` is what the first one took. */
function timeOf<C>(compiled: C, bytes: unknown, length: number, passed: number, execOn: ExecOn<C>): number {
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
 * The expected CPU seconds of the slowest part of the next size, which is four times as long or the whole text.
 * Extrapolated from how much longer this size took than the one before, between linear and cubic growth.
 */
function expectedOf(slowest: number, before: number, partsOfText: number): number {
  const longer = math.min(growth, partsOfText)
  const power = before === 0 ? powerMax : math.log(slowest / before) / math.log(growth)
  return slowest * longer ** math.min(powerMax, math.max(1, power))
}

/**
 * Whether a search is likely to take longer than others on this worker should wait. PCRE's match limit does not count
 * repetitions of single characters, and starts again at each position: on 4 KB of `<`, an expression of the Core Rule
 * Set took seven seconds. So parts are tried before the whole text, as long as the next larger ones can be expected to
 * be quick.
 */
export function takesLong<C>(compiled: C, text: string, { execOn, timedBy }: Timed<C>): boolean {
  const bytes = ffi.cast('const unsigned char *', text)
  let slowestBefore = 0
  let all = 0
  for (let part = firstPart; part < text.length; part *= growth) {
    let slowest = 0
    let last = clock(timedBy)
    for (let from = 0; from < text.length; from += part) {
      const length = math.min(part, text.length - from)
      // If it gives up on a part, it would give up on the whole text.
      if (execOn(compiled, bytes + from, length) < noMatch) return true
      const took = timeOf(compiled, bytes + from, length, clock(timedBy) - last, execOn)
      all += took
      if (took > slowest) slowest = took
      const isClose = all > patience || slowest * growthOfTimeMax > patience
      if (isClose && all + expectedOf(slowest, slowestBefore, text.length / part) > patience) return true
      last = clock(timedBy)
    }
    slowestBefore = slowest
  }
  return false
}

/** Bytes of the texts that an expression is probed with, and CPU seconds that none of them may take. */
const [shortProbe, longProbe, probePatience] = [512, 2048, 0.001]
/** An expression with linear time takes four times as long on the longer probe. */
const [growthOfProbe, worthLooking] = [8, 0.00003]
const fillings = [' ', '\t', '\n', 'a', '0']

/**
 * Texts that may make an expression slow: each special character in its source, repeated alone and with a letter or a
 * space.
 */
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

/** CPU seconds of a probe; a very large value if the search gave up. */
function timeOfProbe<C>(compiled: C, piece: string, length: number, { execOn, timedBy }: Timed<C>): number {
  const text = piece.repeat(Math.ceil(length / piece.length))
  const began = clock(timedBy)
  const found = execOn(compiled, text, text.length)
  return found < noMatch ? shortProbe : clock(timedBy) - began
}

/**
 * Whether an expression takes more than four times as long on a text four times as long. Run once per expression that
 * is used on long texts.
 */
export function explodes<C>(source: string, compiled: C, engine: Timed<C>): boolean {
  for (const piece of piecesFor(source)) {
    const ofShort = timeOfProbe(compiled, piece, shortProbe, engine)
    if (ofShort > probePatience) return true
    const ofLong = timeOfProbe(compiled, piece, longProbe, engine)
    if (ofLong > worthLooking && ofLong > growthOfProbe * ofShort) return true
  }
  return false
}
