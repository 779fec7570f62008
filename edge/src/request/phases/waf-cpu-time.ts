/** How long one site's WAF may hold a worker that serves all sites, by a CPU budget of its own. */
import { afterSpending, budgetLeft, type CpuBudget, shadowLimits, wafLimits } from '../lib/cpu-budget.ts'

const budgets: Record<number, CpuBudget> = {}

/**
 * CPU seconds of a worker's first looks at requests, which are interpreted while LuaJIT compiles them: no site pays for
 * them, and each may take several times as long. Without it the first visitors after a start are refused on a slow machine.
 */
let warmUp = 3
const warmUpFactor = 5

/** CPU seconds that this request of a site may take, `max` at most; none where the budget is spent. */
export function wafAllowance(site: number, max: number): number {
  if (warmUp > 0) return max * warmUpFactor
  return Math.min(max, Math.max(0, budgetLeft(wafLimits, budgets[site], ngx.now())))
}

export function spentOnWaf(site: number, seconds: number): void {
  if (warmUp > 0) warmUp -= seconds
  else budgets[site] = afterSpending(wafLimits, budgets[site], ngx.now(), seconds)
}

let ofShadow: CpuBudget | undefined

/** Whether the rule set in shadow may take so many CPU seconds: a request that it is cut short at would seem refused by it. */
export const hasTimeForShadow = (seconds: number): boolean => budgetLeft(shadowLimits, ofShadow, ngx.now()) >= seconds

export function spentOnShadow(seconds: number): void {
  ofShadow = afterSpending(shadowLimits, ofShadow, ngx.now(), seconds)
}
