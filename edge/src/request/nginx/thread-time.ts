/** The CPU time of a worker's thread, as charged to requests. */
import { clock, monotonic, ofThisThread } from './clock.ts'

/** CPU seconds for one-time work of each worker, such as compiling an expression: no request is charged for it. */
let once = 0

/** The last result of `threadTime`, and when it was taken. */
let [lastTime, lastSaid] = [0, 0]

/** CPU seconds of this thread, without the one-time work. */
export function threadTime(): number {
  lastTime = clock(ofThisThread) - once
  lastSaid = clock(monotonic)
  return lastTime
}

/**
 * Whether that time may have passed: CPU time cannot exceed elapsed time, and the monotonic clock costs a fifth as
 * much.
 */
export const mayBePast = (until: number): boolean => lastTime + clock(monotonic) - lastSaid > until

/** The start time to pass to `chargeNobody`. */
export const beginOnce = (): number => clock(ofThisThread)

/** Does not charge the CPU time since then to anyone. */
export function chargeNobody(since: number): void {
  once += clock(ofThisThread) - since
}
