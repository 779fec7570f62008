/**
 * Limits how long one site's rules may occupy a worker that serves all sites. Each request may use a moment for them;
 * time beyond that is taken from its site's CPU budget. When the budget is spent, the rules stop and the request is
 * refused. Only regular expressions count: in a worker's first seconds, compiling the code between them takes LuaJIT
 * many times as long, which is not the site's fault. For a site that was slow, the kernel is asked for the thread's CPU
 * time on each request.
 */
import { afterSpending, budgetLeft, type CpuBudget, longText, ofExpression, ruleLimits } from '../lib/cpu-budget.ts'
import { clock, ofThisThread } from '../nginx/clock.ts'
import { raise } from '../nginx/raise.ts'

/** Seconds that a request's rules may take without being charged; an honest site's rules never need more. */
const moment = 0.001
/** Seconds for which a slow site is charged by the thread's actual CPU time. */
const meteredSeconds = 10

/** The possible cost of an expression on a long text: none is started unless the budget has this many seconds left. */
const enough = 0.01

const meteredUntil: Record<number, number> = {}
const budgets: Record<number, CpuBudget> = {}

let site = 0
/** Seconds that the request's expressions took. */
let counted = 0
/** The thread's CPU time when counting began, for a metered site. */
let cpuAtStart = 0
let isMetered = false
let billed = 0

/** Call when a request's rules begin, or go on after other requests ran. */
export function beginRules(ofSite: number): void {
  site = ofSite
  billed = 0
  const until = meteredUntil[ofSite]
  isMetered = until !== undefined && ngx.now() < until
  counted = 0
  if (isMetered) cpuAtStart = clock(ofThisThread)
}

/**
 * Call before each expression, with the number of bytes that it will read. Throws if the budget cannot pay for a slow
 * one.
 */
export function requireTimeFor(bytes: number): void {
  if (isMetered && bytes > longText && budgetLeft(ruleLimits, budgets[site], ngx.now()) < enough) raise(tooLong)
}

const tooLong = 'the rules of this site take too long'

/**
 * Call after each expression, with the seconds it took and the bytes it read. Throws if the site's rules have used more
 * than their budget. CPU time cannot exceed elapsed time, so the kernel is asked only after a moment.
 */
export function chargeTime(seconds: number, bytes: number): void {
  counted += ofExpression(seconds, bytes)
  if (counted < moment) return
  if (isMetered) bill()
  // Another process may have had the CPU instead: from now on only the thread's own time counts.
  else beginMetering()
}

/** The site's rules were slow: measures their time exactly for a while. */
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
