/** Orders that did not come to a certificate: which authority is asked the next time, and when. */
import type { AcmeError } from './client.ts'
import type { Obstacle } from './preflight.ts'
import { retryAfter } from './timing.ts'

/** After so many failures the next authority is asked. */
export const failuresEach = 3
export const budgetWaitMs = 3_600_000

/** An order that cannot go out, and needs somebody to do something first. */
export class Refused extends Error {
  readonly waitMs: number | undefined

  constructor(obstacle: Obstacle, waitMs?: number) {
    super(obstacle)
    this.waitMs = waitMs
  }
}

/** The failures that an order has had with this one, and how long it waits, in ms. */
export function afterFailure(error: Error, attempts: number): { attempts: number; waitMs: number } {
  const { type, retryAfterSeconds, waitMs } = error as Partial<AcmeError & Refused>
  // Where an authority wants no more, the next one is not worse than the first.
  const failures = type === 'rateLimited' ? (Math.floor(attempts / failuresEach) + 1) * failuresEach : attempts + 1
  // Whoever waits for a turn has failed at nothing: it would be behind all others once it had.
  if (waitMs !== undefined) return { attempts, waitMs }
  return {
    attempts: failures,
    waitMs: Math.max(retryAfter(failures), Math.min(retryAfterSeconds ?? 0, 86_400) * 1000),
  }
}
