/**
 * When a site is under attack: three seconds with too many requests, or with too many that the origin failed to answer.
 * Over after five minutes below half of that. An attack lasts two minutes at least, and twice as long each time it returns
 * within half an hour, up to an hour: so that a flood that pauses does not switch the challenge on and off.
 */
import type { AttackState } from '@breakwater/contract/edge/tallies.ts'

const beginSeconds = 3
const calmSeconds = 300
const leastSeconds = 120
const mostSeconds = 3600
const returnSeconds = 1800

/** Requests a second that are no attack however unusual they are, and how many times the usual are one. */
const rateLeast = 50
const usualFactor = 4
/** From so many requests a second to the origin on, the share of failures that is taken for an attack. */
const askedLeast = 20
const failuresShare = 0.2

/** What came in a second, over all nodes. `threshold` is what the site set, 0 for none; `usual` is absent where nobody knows. */
export type Second = {
  requests: number
  asked: number
  failures: number
  threshold: number
  usual: number | undefined
}

export type SiteWatch = {
  /** Absent while the site is calm. */
  attack?: AttackState & { beganAt: number; holds: number }
  /** Seconds in a row above and below. */
  over: number
  calm: number
  /** When an attack ended last, and how long it had to last. */
  endedAt: number
  held: number
}

export const newWatch = (): SiteWatch => ({ over: 0, calm: 0, endedAt: Number.NEGATIVE_INFINITY, held: 0 })

/** Requests a second above which an attack begins; infinite where nothing is set, and what is usual is not known yet. */
function limitOf({ threshold, usual }: Second): number {
  if (threshold > 0) return threshold
  return usual === undefined ? Number.POSITIVE_INFINITY : Math.max(rateLeast, usualFactor * usual)
}

/** Goes on by one second; `now` is in seconds. Changes the watch. */
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
  // A challenged flood asks no origin: half of the limit of requests alone tells whether it goes on.
  const isQuiet = second.requests < Math.min(limit, Math.max(watch.attack.rate, rateLeast)) / 2
  watch.calm = isQuiet && !isFailing ? watch.calm + 1 : 0
  if (watch.calm < calmSeconds || now - watch.attack.beganAt < watch.attack.holds) return
  watch.endedAt = now
  watch.held = watch.attack.holds
  delete watch.attack
  watch.over = 0
}
