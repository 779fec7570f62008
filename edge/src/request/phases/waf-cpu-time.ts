/** Limits how long one site's WAF may occupy a worker that serves all sites, with a CPU budget of its own. */
import { afterSpending, budgetLeft, type CpuBudget, shadowLimits, wafLimits } from '../lib/cpu-budget.ts'

const budgets: Record<number, CpuBudget> = {}

/**
 * CPU seconds for a worker's first WAF checks, which are interpreted while LuaJIT compiles them. They are not charged
 * to a site, and each may take several times as long. Without this, a slow machine would refuse the first visitors
 * after a start.
 */
let warmUp = 3
const warmUpFactor = 5

/** CPU seconds that this request of a site may take, at most `max`; 0 if the budget is spent. */
export function wafAllowance(site: number, max: number): number {
  if (warmUp > 0) return max * warmUpFactor
  return Math.min(max, Math.max(0, budgetLeft(wafLimits, budgets[site], ngx.now())))
}

export function spentOnWaf(site: number, seconds: number): void {
  if (warmUp > 0) warmUp -= seconds
  else budgets[site] = afterSpending(wafLimits, budgets[site], ngx.now(), seconds)
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
