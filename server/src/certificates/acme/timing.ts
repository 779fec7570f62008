/** When a certificate is ordered again: pure, in ms. Nothing here assumes how long one lives. */

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** Below it half of a life is waited, and not two thirds. */
const shortLifeMs = 10 * dayMs
/** When an authority is asked again what it suggests: as it says (RFC 9773, 4.3), within a minute and a day; else after six hours. */
export const askAgainMs = (retryAfterSeconds = 6 * 3600): number =>
  Math.min(Math.max(retryAfterSeconds * 1000, 60_000), dayMs)

/** After so many failures in a row; each up to a fifth later, so that many that failed together do not come back together. */
const waits = [60_000, 5 * 60_000, 30 * 60_000, 2 * hourMs, 6 * hourMs, dayMs]
export const retryAfter = (failures: number, random = Math.random()): number =>
  waits[Math.min(Math.max(failures, 1), waits.length) - 1]! * (1 + random / 5)

/** The moment of renewal: within what the authority suggests, or else by the life of the certificate. */
export function renewalAt(
  { notBefore, notAfter }: { notBefore: Date; notAfter: Date },
  window: { start: number; end: number } | undefined,
  random = Math.random(),
): number {
  if (window) return window.start + (window.end - window.start) * random
  const life = notAfter.getTime() - notBefore.getTime()
  return notBefore.getTime() + (life < shortLifeMs ? life / 2 : (life * 2) / 3)
}
