/**
 * How much of a worker a site's rules may use: a budget of CPU seconds that refills slowly and may be overdrawn a
 * little.
 */

export type CpuBudget = { left: number; at: number }

/** The maximum of a budget, its refill per second, and its maximum debt, all in CPU seconds. */
export type CpuLimits = { max: number; refill: number; debt: number }

/**
 * For the time that expressions take beyond a moment: a thousandth of a worker's time. One in a hundred would be
 * visible to other sites in their slowest hundredth of requests, so it may grow by a tenth of that only. The debt is
 * limited so that a flood does not keep a site's rules from running long after it has ended.
 */
export const ruleLimits: CpuLimits = { max: 0.02, refill: 0.001, debt: 0.01 }

/** Only on a text of more bytes can an expression become slow. */
export const longText = 512
/** Seconds that an expression takes at most on a text that is not long: the engine's steps are limited. */
const expressionMax = 0.00075

/**
 * The seconds charged for one expression on `bytes` bytes, given the seconds that passed. Time beyond what any
 * expression could take is the machine's fault: another process or the host had the CPU, which the thread's CPU time
 * includes too.
 */
export function ofExpression(seconds: number, bytes: number): number {
  return Math.min(seconds, expressionMax * Math.max(1, bytes / longText))
}

/** For the WAF, which takes some milliseconds per inspected request: half of a worker. */
export const wafLimits: CpuLimits = { max: 0.5, refill: 0.5, debt: 0.05 }

/** For a shadow rule set, which decides nothing: a twentieth of a worker, whatever share of requests is sampled. */
export const shadowLimits: CpuLimits = { max: 0.1, refill: 0.05, debt: 0.05 }

/** Seconds that are left at `now` (epoch seconds); negative if some are owed. */
export function budgetLeft(limits: CpuLimits, budget: CpuBudget | undefined, now: number): number {
  return budget === undefined ? limits.max : Math.min(limits.max, budget.left + (now - budget.at) * limits.refill)
}

/**
 * The budget after `seconds` were spent. What an expression took beyond it is owed, because a running expression cannot
 * be stopped.
 */
export function afterSpending(
  limits: CpuLimits,
  budget: CpuBudget | undefined,
  now: number,
  seconds: number,
): CpuBudget {
  return { left: Math.max(-limits.debt, budgetLeft(limits, budget, now) - seconds), at: now }
}
