/** How long one site's WAF may hold a worker that serves all sites, by a CPU budget of its own. */
import { afterSpending, budgetLeft, type CpuBudget, wafLimits } from '../lib/cpu-budget.ts'

const budgets: Record<number, CpuBudget> = {}

/** CPU seconds that this request of a site may take, `max` at most; none where the budget is spent. */
export const wafAllowance = (site: number, max: number): number =>
  Math.min(max, Math.max(0, budgetLeft(wafLimits, budgets[site], ngx.now())))

export function spentOnWaf(site: number, seconds: number): void {
  budgets[site] = afterSpending(wafLimits, budgets[site], ngx.now(), seconds)
}
