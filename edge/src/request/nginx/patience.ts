/**
 * How long one site's rules may hold a worker that serves all sites. A request may take a moment for them; what it takes
 * beyond comes from a purse of its site, and where that is empty the rules give up and that request is refused. Sites
 * with ordinary rules pay one look at a clock for some expressions.
 */
import * as ffi from 'ffi'
import { leftOf, type Purse, paid } from '../lib/purse.ts'

ffi.cdef(`
typedef struct { long seconds; long nanoseconds; } bw_time;
int clock_gettime(int clock, bw_time *time);
`)

/** Seconds that a request's rules may take unasked, as an honest site's never do. */
const moment = 0.001
/** Seconds for which a site that was slow is looked at with every expression, by the time that the processor gave it. */
const carefulFor = 10
/** Otherwise the clock is looked at after so many expressions. */
const every = 8

/** A text of more bytes is what makes an expression slow: such a request waits until the purse has `enough`, what one may cost. */
export const longText = 512
const enough = 0.01

const monotonic = 1
const ofThisThread = 3
const time = ffi.new('bw_time')

function clock(which: number): number {
  ffi.C.clock_gettime!(which, time)
  return tonumber(time.seconds)! + tonumber(time.nanoseconds)! / 1e9
}

const carefulUntil: Record<number, number> = {}
const purses: Record<number, Purse> = {}

let site = 0
let startedAt = 0
let isCareful = false
let billed = 0
let count = 0

/** A request's rules begin, or go on after others had their turn. */
export function beginRules(ofSite: number): void {
  site = ofSite
  billed = 0
  const until = carefulUntil[ofSite]
  isCareful = until !== undefined && ngx.now() < until
  startedAt = clock(isCareful ? ofThisThread : monotonic)
}

/** Before each expression, with the bytes that it is to look at. Throws where there is nothing left to pay a slow one with. */
export function mayLook(bytes: number): void {
  if (isCareful && bytes > longText && leftOf(purses[site], ngx.now()) < enough) throw new Error(tooLong)
}

const tooLong = 'the rules of this site take too long'

/** After each expression, with the bytes it looked at. Throws where the site's rules have taken too much from the others. */
export function spend(bytes: number): void {
  if (isCareful) {
    bill()
    return
  }
  count++
  if (bytes > longText || count % every === 0) lookAtClock()
}

/** After an expression that stands for many: they are worth a look at the clock. */
export function spendMany(): void {
  if (isCareful) bill()
  else lookAtClock()
}

function lookAtClock(): void {
  // It may as well have been another process that had the processor: from now on what counts is the thread's own time.
  if (clock(monotonic) - startedAt >= moment) beCareful()
}

/** The site's rules were slow: their time is taken exactly for a while. */
export function beCareful(): void {
  carefulUntil[site] = ngx.now() + carefulFor
  isCareful = true
  billed = 0
  startedAt = clock(ofThisThread)
}

function bill(): void {
  const used = clock(ofThisThread) - startedAt
  if (used < moment) return
  const now = ngx.now()
  const purse = paid(purses[site], now, used - billed)
  purses[site] = purse
  carefulUntil[site] = now + carefulFor
  billed = used
  if (purse.left <= 0) throw new Error(tooLong)
}
