/**
 * How long one site's rules may hold a worker that serves all sites. A request may take a moment for them; what it takes
 * beyond comes from its site's CPU budget; where that is spent the rules give up and the request is refused. Only the
 * expressions count: what LuaJIT compiles between them in a worker's first seconds is many times as much, and not the
 * site's doing. Of a site that was slow the kernel is asked for the thread's CPU time with each request.
 */
import { afterSpending, budgetLeft, type CpuBudget, longText, ofExpression, ruleLimits } from '../lib/cpu-budget.ts'
import { clock, ofThisThread } from '../nginx/clock.ts'
import { raise } from '../nginx/protect.ts'

/** Seconds that a request's rules may take unasked, as an honest site's never do. */
const moment = 0.001
/** Seconds for which a site that was slow pays with the time that the processor gave it. */
const meteredSeconds = 10

/** What an expression on a long text may cost: without it in the budget none is begun. */
const enough = 0.01

const meteredUntil: Record<number, number> = {}
const budgets: Record<number, CpuBudget> = {}

let site = 0
/** What its expressions took, in seconds. */
let counted = 0
/** The thread's CPU time when counting began, of a site that is metered. */
let cpuAtStart = 0
let isMetered = false
let billed = 0

/** A request's rules begin, or go on after others had their turn. */
export function beginRules(ofSite: number): void {
  site = ofSite
  billed = 0
  const until = meteredUntil[ofSite]
  isMetered = until !== undefined && ngx.now() < until
  counted = 0
  if (isMetered) cpuAtStart = clock(ofThisThread)
}

/** Before each expression, with the bytes that it is to look at. Throws where there is nothing left to pay a slow one with. */
export function requireTimeFor(bytes: number): void {
  if (isMetered && bytes > longText && budgetLeft(ruleLimits, budgets[site], ngx.now()) < enough) raise(tooLong)
}

const tooLong = 'the rules of this site take too long'

/**
 * After each expression, with the seconds that it took and the bytes that it looked at. Throws where the site's rules have
 * taken too much from the others. A thread gets no more CPU time than time passes, so the kernel is asked for it only after
 * a moment.
 */
export function chargeTime(seconds: number, bytes: number): void {
  counted += ofExpression(seconds, bytes)
  if (counted < moment) return
  if (isMetered) bill()
  // It may as well have been another process that had the processor: from now on what counts is the thread's own time.
  else beginMetering()
}

/** The site's rules were slow: their time is taken exactly for a while. */
export function beginMetering(): void {
  meteredUntil[site] = ngx.now() + meteredSeconds
  isMetered = true
  billed = 0
  counted = 0
  cpuAtStart = clock(ofThisThread)
}

function bill(): void {
  const used = Math.min(clock(ofThisThread) - cpuAtStart, counted)
  if (used < moment) return
  const now = ngx.now()
  const budget = afterSpending(ruleLimits, budgets[site], now, used - billed)
  budgets[site] = budget
  meteredUntil[site] = now + meteredSeconds
  billed = used
  if (budget.left <= 0) raise(tooLong)
}
