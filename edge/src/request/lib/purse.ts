/** What a site's rules may take of a worker beyond a moment: a purse of seconds that fills slowly and may owe a little. */

export type Purse = { left: number; at: number }

/**
 * What a purse holds at most, and what it gets a second: one in a thousand of a worker's time: one in a hundred is what
 * others find in their slowest hundredth, and a tenth of that is all it may grow by.
 */
const purseMax = 0.02
const income = 0.001
/** What it owes at most: a flood must not keep a site from being looked at long after it has ended. */
const debtMax = 0.01

/** Seconds that are left at `now` (epoch seconds); below nothing where some are owed. */
export function leftOf(purse: Purse | undefined, now: number): number {
  return purse === undefined ? purseMax : Math.min(purseMax, purse.left + (now - purse.at) * income)
}

/** The purse after `seconds` were taken. What one expression took beyond it is owed: nobody can stop it under way. */
export function paid(purse: Purse | undefined, now: number, seconds: number): Purse {
  return { left: Math.max(-debtMax, leftOf(purse, now) - seconds), at: now }
}
