/**
 * Seconds from `now` until `until`, both of nginx' clock; nothing for less than a millisecond. nginx waits in whole ones: a
 * shorter wait ends at once, its clock stands still meanwhile, and whoever tried again would hold the worker for ever.
 */
export function timeLeft(until: number, now: number): number | undefined {
  const left = until - now
  return left < 0.001 ? undefined : left
}
