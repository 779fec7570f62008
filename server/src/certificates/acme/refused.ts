/** Failed orders: which authority to try next, and when. */
import type { AcmeError } from './client.ts'
import type { Obstacle } from './preflight.ts'
import { retryAfter } from './timing.ts'

/** After this many failures the next authority is tried. */
export const failuresEach = 3
export const budgetWaitMs = 3_600_000

/** An order that cannot be placed until somebody does something first. */
export class Refused extends Error {
  readonly waitMs: number | undefined

  constructor(obstacle: Obstacle, waitMs?: number) {
    super(obstacle)
    this.waitMs = waitMs
  }
}

/** The failure count including this one, and the wait in ms. */
export function afterFailure(error: Error, attempts: number): { attempts: number; waitMs: number } {
  const { type, retryAfterSeconds, waitMs } = error as Partial<AcmeError & Refused>
  // If an authority is rate limiting, the next one is tried immediately.
  const failures = type === 'rateLimited' ? (Math.floor(attempts / failuresEach) + 1) * failuresEach : attempts + 1
  // Waiting for a limit is not a failure: counting it would move the order behind all others.
  if (waitMs !== undefined) return { attempts, waitMs }
  return {
    attempts: failures,
    waitMs: Math.max(retryAfter(failures), Math.min(retryAfterSeconds ?? 0, 86_400) * 1000),
  }
}
