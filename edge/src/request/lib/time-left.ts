/**
 * Seconds from `now` until `until`, both by nginx's clock. Returns undefined for less than a millisecond. nginx waits
 * in whole milliseconds: a shorter wait ends at once while its clock stands still, so a retry loop would block the
 * worker forever.
 */
export function timeLeft(until: number, now: number): number | undefined {
  const left = until - now
  return left < 0.001 ? undefined : left
}
