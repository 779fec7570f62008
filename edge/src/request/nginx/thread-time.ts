/** The CPU time of a worker's thread, as requests are charged for it. */
import { clock, monotonic, ofThisThread } from './clock.ts'

/** CPU seconds that went into what each worker does once, such as compiling an expression: no request is held against them. */
let once = 0

/** What `threadTime` said last, and when that was. */
let [lastTime, lastSaid] = [0, 0]

/** CPU seconds of this thread, without those. */
export function threadTime(): number {
  lastTime = clock(ofThisThread) - once
  lastSaid = clock(monotonic)
  return lastTime
}

/** Whether it may be later than that: a thread takes no more CPU time than time passes, and that clock costs a fifth. */
export const mayBePast = (until: number): boolean => lastTime + clock(monotonic) - lastSaid > until

/** A clock for `chargeNobody`. */
export const beginOnce = (): number => clock(ofThisThread)

/** What has been done since then is charged to nobody. */
export function chargeNobody(since: number): void {
  once += clock(ofThisThread) - since
}
