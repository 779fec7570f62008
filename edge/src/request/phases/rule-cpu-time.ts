/**
 * How long one site's rules may hold a worker that serves all sites. A request may take a moment for them; what it takes
 * beyond comes from its site's CPU budget; where that is spent the rules give up and the request is refused. Sites
 * with ordinary rules pay one look at a clock for each expression.
 */
import { afterSpending, budgetLeft, type CpuBudget, ruleLimits } from '../lib/cpu-budget.ts'
import { clock, monotonic, ofThisThread } from '../nginx/clock.ts'
import { raise } from '../nginx/protect.ts'

/** Seconds that a request's rules may take unasked, as an honest site's never do. */
const moment = 0.001
/** Seconds for which a site that was slow is looked at with every expression, by the time that the processor gave it. */
const meteredSeconds = 10

/** A text of more bytes is what makes an expression slow: such a request waits until the budget has `enough`, what one may cost. */
export const longText = 512
const enough = 0.01

const meteredUntil: Record<number, number> = {}
const budgets: Record<number, CpuBudget> = {}

let site = 0
let startedAt = 0
let isMetered = false
let billed = 0

/** A request's rules begin, or go on after others had their turn. */
export function beginRules(ofSite: number): void {
  site = ofSite
  billed = 0
  const until = meteredUntil[ofSite]
  isMetered = until !== undefined && ngx.now() < until
  startedAt = clock(isMetered ? ofThisThread : monotonic)
}

/** Before each expression, with the bytes that it is to look at. Throws where there is nothing left to pay a slow one with. */
export function requireTimeFor(bytes: number): void {
  if (isMetered && bytes > longText && budgetLeft(ruleLimits, budgets[site], ngx.now()) < enough) raise(tooLong)
}

const tooLong = 'the rules of this site take too long'

/**
 * After each expression. Throws where the site's rules have taken too much from the others. The clock is looked at every
 * time: a look now and then would be a branch that LuaJIT does not compile at the end of so long a piece.
 */
export function chargeTime(): void {
  if (isMetered) bill()
  else lookAtClock()
}

function lookAtClock(): void {
  // It may as well have been another process that had the processor: from now on what counts is the thread's own time.
  if (clock(monotonic) - startedAt >= moment) beginMetering()
}

/** The site's rules were slow: their time is taken exactly for a while. */
export function beginMetering(): void {
  meteredUntil[site] = ngx.now() + meteredSeconds
  isMetered = true
  billed = 0
  startedAt = clock(ofThisThread)
}

function bill(): void {
  const used = clock(ofThisThread) - startedAt
  if (used < moment) return
  const now = ngx.now()
  const budget = afterSpending(ruleLimits, budgets[site], now, used - billed)
  budgets[site] = budget
  meteredUntil[site] = now + meteredSeconds
  billed = used
  if (budget.left <= 0) raise(tooLong)
}
