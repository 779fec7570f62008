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
  if (ofWarmUp > 0) ofWarmUp -= seconds
  else spentBeside(site, seconds)
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
