/**
 * Decides when a site is under attack: after three seconds with too many requests, or too many that the origin failed
 * to answer. It ends after five minutes below half of that. An attack lasts at least two minutes, and twice as long
 * each time it returns within half an hour, up to an hour, so that a flood with pauses does not toggle the challenge.
 */
import type { AttackState } from '@breakwater/contract/edge/tallies.ts'

const beginSeconds = 3
const calmSeconds = 300
const leastSeconds = 120
const mostSeconds = 3600
const returnSeconds = 1800

/** Up to this many requests per second are never an attack; beyond that, this multiple of the usual rate is one. */
const rateLeast = 50
const usualFactor = 4
/** The share of failures that counts as an attack, given at least this many requests per second to the origin. */
const askedLeast = 20
const failuresShare = 0.2

/**
 * Traffic of one second, over all nodes. `threshold` is the site's setting, 0 for none; `usual` is undefined while the
 * usual rate is unknown.
 */
export type Second = {
  requests: number
  asked: number
  failures: number
  threshold: number
  usual: number | undefined
}

export type SiteWatch = {
  /** Undefined while the site is calm. */
  attack?: AttackState & { beganAt: number; holds: number }
  /** Consecutive seconds above the limit, and below half of it. */
  over: number
  calm: number
  /** When the last attack ended, and its minimum duration. */
  endedAt: number
  held: number
}

export const newWatch = (): SiteWatch => ({ over: 0, calm: 0, endedAt: Number.NEGATIVE_INFINITY, held: 0 })

/** Requests per second above which an attack begins; infinite if no threshold is set and the usual rate is unknown. */
function limitOf({ threshold, usual }: Second): number {
  if (threshold > 0) return threshold
  return usual === undefined ? Number.POSITIVE_INFINITY : Math.max(rateLeast, usualFactor * usual)
}

/** Advances the watch by one second, in place; `now` is in seconds. */
export function watchSecond(watch: SiteWatch, site: number, second: Second, now: number): void {
  const limit = limitOf(second)
  const isFailing = second.asked >= askedLeast && second.failures > failuresShare * second.asked
  if (watch.attack === undefined) {
    watch.over = second.requests > limit || isFailing ? watch.over + 1 : 0
    if (watch.over < beginSeconds) return
    const returns = now - watch.endedAt < returnSeconds
    const holds = returns ? Math.min(mostSeconds, 2 * watch.held) : leastSeconds
    const reason = second.requests > limit ? 'requests' : 'failures'
    const seen = reason === 'requests' ? [second.requests, limit] : [second.failures, failuresShare * second.asked]
    watch.attack = { site, reason, rate: Math.round(seen[0]!), limit: Math.round(seen[1]!), beganAt: now, holds }
    watch.calm = 0
    return
  }
  // A challenged flood does not reach the origin, so only half of the request limit tells whether it goes on.
  const isQuiet = second.requests < Math.min(limit, Math.max(watch.attack.rate, rateLeast)) / 2
  watch.calm = isQuiet && !isFailing ? watch.calm + 1 : 0
  if (watch.calm < calmSeconds || now - watch.attack.beganAt < watch.attack.holds) return
  watch.endedAt = now
  watch.held = watch.attack.holds
  delete watch.attack
  watch.over = 0
}
