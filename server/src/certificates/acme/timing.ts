/** When a certificate is ordered again: pure functions, in ms. They do not assume any certificate lifetime. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Certificates shorter than this are renewed after half of their lifetime instead of two thirds. */
const shortLifeMs = 10 * dayMs
/**
 * When to ask an authority again for its suggestion: as it says (RFC 9773, 4.3), within a minute and a day; by default
 * after six hours.
 */
export const askAgainMs = (retryAfterSeconds = 6 * 3600): number =>
  Math.min(Math.max(retryAfterSeconds * 1000, 60_000), dayMs)

/**
 * The wait after each consecutive failure, extended randomly by up to a fifth, so that orders that failed together are
 * not retried together.
 */
const waits = [60_000, 5 * 60_000, 30 * 60_000, 2 * hourMs, 6 * hourMs, dayMs]
export const retryAfter = (failures: number, random = Math.random()): number =>
  waits[Math.min(Math.max(failures, 1), waits.length) - 1]! * (1 + random / 5)

/** The time of renewal: within the authority's suggested window, or else by the certificate's lifetime. */
export function renewalAt(
  { notBefore, notAfter }: { notBefore: Date; notAfter: Date },
  window: { start: number; end: number } | undefined,
  random = Math.random(),
): number {
  if (window) return window.start + (window.end - window.start) * random
  const life = notAfter.getTime() - notBefore.getTime()
  return notBefore.getTime() + (life < shortLifeMs ? life / 2 : (life * 2) / 3)
}
