/** What a site's rules may take of a worker: a budget of CPU seconds that refills slowly and may be overdrawn a little. */

export type CpuBudget = { left: number; at: number }

/** The most a budget holds, what it regains a second, and what it owes at most; all in CPU seconds. */
export type CpuLimits = { max: number; refill: number; debt: number }

/**
 * For what expressions take beyond a moment: a thousandth of a worker's time. One in a hundred is what others find in their
 * slowest hundredth, and a tenth of that is all it may grow by. The debt: a flood must not keep a site from being looked at
 * long after it has ended.
 */
export const ruleLimits: CpuLimits = { max: 0.02, refill: 0.001, debt: 0.01 }

/** A text of more bytes is what makes an expression slow. */
export const longText = 512
/** Seconds that an expression takes at most on a text that is not long: the steps of the engine are bounded. */
const expressionMax = 0.00075

/**
 * What counts of the seconds that passed with one expression on so many bytes. What is beyond any expression is the
 * machine's own: another process had the processor, or the host had it, which the thread's CPU time holds, too.
 */
export function ofExpression(seconds: number, bytes: number): number {
  return Math.min(seconds, expressionMax * Math.max(1, bytes / longText))
}

/** For the WAF, which takes some milliseconds of each request that it is asked about: half of a worker. */
export const wafLimits: CpuLimits = { max: 0.5, refill: 0.5, debt: 0.05 }

/** For a rule set in shadow, which no visitor waits for in earnest: a twentieth of a worker, whatever share is drawn. */
export const shadowLimits: CpuLimits = { max: 0.1, refill: 0.05, debt: 0.05 }

/** Seconds that are left at `now` (epoch seconds); below nothing where some are owed. */
export function budgetLeft(limits: CpuLimits, budget: CpuBudget | undefined, now: number): number {
  return budget === undefined ? limits.max : Math.min(limits.max, budget.left + (now - budget.at) * limits.refill)
}

/** The budget after `seconds` were spent. What one expression took beyond it is owed: nobody can stop it under way. */
export function afterSpending(
  limits: CpuLimits,
  budget: CpuBudget | undefined,
  now: number,
  seconds: number,
): CpuBudget {
  return { left: Math.max(-limits.debt, budgetLeft(limits, budget, now) - seconds), at: now }
}
