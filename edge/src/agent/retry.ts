/** Waits between retries: capped exponential back-off with full jitter, so that many nodes do not return at once. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A wait in [0, bound). The bound is doubled up to the cap and then jittered, so waits at the cap are jittered too. */
export function fullJitter(failures: number, baseMs: number, capMs: number, random = Math.random): number {
  return random() * Math.min(capMs, baseMs * 2 ** Math.min(failures, 30))
}

export type Backoff = { failed(): number; succeeded(): void }

/** Counts consecutive failures; `failed` returns how long to wait before the next try. */
export function backoff(baseMs: number, capMs: number): Backoff {
  let failures = 0
  return {
    failed: () => fullJitter(failures++, baseMs, capMs),
    succeeded: () => {
      failures = 0
    },
  }
}

/**
 * Waits during an outage: each is random, up to a third of how long it has lasted so far, within the bounds. A peer
 * that was away for a second is found again within the next one; after minutes the whole range is used, so that many
 * nodes come back spread out.
 */
export function outageWaits(leastMs: number, mostMs: number, now = Date.now, random = Math.random): Backoff {
  let since: number | undefined
  return {
    failed() {
      since ??= now()
      return random() * Math.min(mostMs, Math.max(leastMs, (now() - since) / 3))
    },
    succeeded: () => {
      since = undefined
    },
  }
}

/** Waits, but returns at once when the signal is aborted. Never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** A bell with many ringers and one waiter. Rings while nobody waits count as one. `wait` returns whether it rang. */
export type Doorbell = { ring(): void; wait(ms: number, signal?: AbortSignal): Promise<boolean> }

export function doorbell(): Doorbell {
  let rung = false
  let open: (() => void) | undefined
  return {
    ring() {
      rung = true
      open?.()
    },
    async wait(ms, signal) {
      if (!rung && !signal?.aborted) {
        const stop = new AbortController()
        open = () => stop.abort()
        await pause(ms, signal ? AbortSignal.any([stop.signal, signal]) : stop.signal)
        open = undefined
      }
      const heard = rung
      rung = false
      return heard
    },
  }
}
