/**
 * When rows and counters are uploaded. A batch costs the control plane as much as thousands of rows, so they are gathered:
 * until there are many, or for some seconds. Who looks at logs or statistics says so (the wake `rows`), and for as long as
 * that is news they come as soon as nginx has written them.
 */
import { doorbell, pause } from './retry.ts'

/** A batch of rows is at most this much, so that many of them fit what the control plane takes after times are moved. */
export const BATCH_BYTES = 12_000_000
/** So much does not wait for more. */
export const MANY_BYTES = 10_000_000
/** How long rows wait for more. */
export const GATHER_MS = 8_000
/** How long they do while traffic goes on: so much was in the batch before. */
export const GATHER_STEADY_MS = 20_000
const STEADY_BYTES = 10_000
/** So often counters become a batch where nobody looks, and while so many requests are in each. */
export const TAKE_MS = 10_000
export const TAKE_STEADY_MS = 20_000
export const STEADY_REQUESTS = 50
/** How often it is looked whether there are many. */
const LOOK_MS = 1000
const LOOKED_PACE_MS = 500
/** Whoever looks on says so every second. */
const LOOKED_MS = 5000

/** Whether somebody looks at what this node uploads. */
export type Lookers = {
  /** Somebody does. */
  ring(): void
  look(): boolean
  /** When they last began to, in ms; 0 before. */
  began(): number
  /** Waits so long, or until somebody begins to look. */
  wait(ms: number, signal: AbortSignal): Promise<void>
}

export function lookers(now = Date.now): Lookers {
  const bell = doorbell()
  let until = 0
  let began = 0
  return {
    ring() {
      if (now() >= until) began = now()
      until = now() + LOOKED_MS
      bell.ring()
    },
    look: () => now() < until,
    began: () => began,
    async wait(ms, signal) {
      await bell.wait(ms, signal)
    },
  }
}

export type UploadPace = {
  /** Whether what waits is to be sent now. */
  isDue(waitingBytes: number): boolean
  /** Notes that all that waited was sent. */
  sent(): void
  /** Waits until the next look is worth it. */
  wait(signal: AbortSignal): Promise<void>
}

/** Of rows; `manyBytes` are sent at once. */
export function uploadPace(manyBytes: number, looking: Lookers, now = Date.now): UploadPace {
  // What waits at the start has waited.
  let sentAt = Number.NEGATIVE_INFINITY
  let gatherMs = GATHER_MS
  let waited = 0
  return {
    isDue(waitingBytes) {
      waited = waitingBytes
      return waitingBytes >= manyBytes || now() >= sentAt + gatherMs || looking.look()
    },
    sent() {
      sentAt = now()
      gatherMs = waited >= STEADY_BYTES && !looking.look() ? GATHER_STEADY_MS : GATHER_MS
    },
    wait: (signal) => (looking.look() ? pause(LOOKED_PACE_MS, signal) : looking.wait(LOOK_MS, signal)),
  }
}
