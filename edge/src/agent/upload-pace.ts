/**
 * When rows and counters are uploaded. A batch costs the control plane as much as thousands of rows, so they are
 * gathered: until there are many, or for some seconds. While somebody watches logs or statistics (the wake `rows`),
 * they are uploaded as soon as nginx has written them.
 */
import { doorbell, everySecond, pause, type Wait } from './retry.ts'

/** The maximum size of a batch of rows, so that it stays within the control plane's limit after times are shifted. */
export const BATCH_BYTES = 12_000_000
/** This many bytes are sent without waiting for more. */
export const MANY_BYTES = 10_000_000
/** How long rows wait for more. */
export const GATHER_MS = 8_000
/** The same under steady traffic: if the previous batch had at least `STEADY_BYTES`. */
export const GATHER_STEADY_MS = 30_000
const STEADY_BYTES = 10_000
/** How often counters become a batch while nobody watches, and while each batch has `STEADY_REQUESTS` or more. */
export const TAKE_MS = 10_000
export const TAKE_STEADY_MS = 30_000
export const STEADY_REQUESTS = 50
const LOOKED_PACE_MS = 500
/** How long a wake `rows` counts: it is repeated every second while somebody watches. */
const LOOKED_MS = 5000

/** Whether somebody watches what this node uploads. */
export type Lookers = {
  /** Somebody is watching. */
  ring(): void
  look(): boolean
  /** When they last began to watch, in ms; 0 if never. */
  began(): number
  /** Waits, but only until somebody begins to watch. */
  wait(wait: Wait, signal: AbortSignal): Promise<void>
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
    async wait(wait, signal) {
      await bell.wait(wait, signal)
    },
  }
}

export type UploadPace = {
  /** Whether the waiting rows should be sent now. */
  isDue(waitingBytes: number): boolean
  /** Records that all waiting rows were sent. */
  sent(): void
  /** Waits until the next check is worthwhile. */
  wait(signal: AbortSignal): Promise<void>
}

/** The pace of rows; `manyBytes` are sent at once. */
export function uploadPace(manyBytes: number, looking: Lookers, now = Date.now): UploadPace {
  // Rows present at the start have waited long enough.
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
    wait: (signal) => (looking.look() ? pause(LOOKED_PACE_MS, signal) : looking.wait(everySecond, signal)),
  }
}
