/** Limits how long one site's WAF may occupy a worker that serves all sites, with a CPU budget of its own. */
import { afterSpending, budgetLeft, type CpuBudget, shadowLimits, wafLimits } from '../lib/cpu-budget.ts'
import { warmUp } from '../lib/warm-up.ts'

const budgets: Record<number, CpuBudget> = {}

let ofWarmUp: number = warmUp.seconds

/** CPU seconds that this request of a site may take, at most `max`; 0 if the budget is spent. */
export function wafAllowance(site: number, max: number): number {
  if (ofWarmUp > 0) return max * warmUp.factor
  return allowanceBeside(site, max)
}

/** The same for a thread, whose VM has a warm-up of its own. */
export const allowanceBeside = (site: number, max: number): number =>
  Math.min(max, Math.max(0, budgetLeft(wafLimits, budgets[site], ngx.now())))

export function spentOnWaf(site: number, seconds: number): void {
  noteCost(site, seconds)
  if (ofWarmUp > 0) ofWarmUp -= seconds
  else spentBeside(site, seconds)
}

/**
 * CPU seconds of an inspection above which a site's long requests are inspected in a thread, and for how many seconds.
 * An ordinary form of 40 KB takes 1 to 2 ms, and a quarter more in a thread.
 */
const costly = 0.0025
const costlyFor = 10
const costlyUntil: Record<number, number | undefined> = {}

/** Whether an inspection of the site has recently taken long enough for others on the worker to notice. */
export const isCostly = (site: number): boolean => (costlyUntil[site] ?? 0) > ngx.now()

/** Also during the warm-up. */
export function noteCost(site: number, seconds: number): void {
  if (seconds > costly) costlyUntil[site] = ngx.now() + costlyFor
}

export function spentBeside(site: number, seconds: number): void {
  budgets[site] = afterSpending(wafLimits, budgets[site], ngx.now(), seconds)
}

let ofShadow: CpuBudget | undefined

/**
 * Whether the shadow rule set may take this many CPU seconds: a request on which it is cut short would appear as
 * refused by it.
 */
export const hasTimeForShadow = (seconds: number): boolean => budgetLeft(shadowLimits, ofShadow, ngx.now()) >= seconds

export function spentOnShadow(seconds: number): void {
  ofShadow = afterSpending(shadowLimits, ofShadow, ngx.now(), seconds)
}
