/** Waiting between tries: capped exponential growth with full jitter, so that a thousand nodes do not come back at once. */
import { setTimeout as sleep } from 'node:timers/promises'

/** A wait in [0, bound): the bound doubles to its cap first and is jittered afterwards, so the cap is jittered too. */
export function fullJitter(failures: number, baseMs: number, capMs: number, random = Math.random): number {
  return random() * Math.min(capMs, baseMs * 2 ** Math.min(failures, 30))
}

export type Backoff = { failed(): number; succeeded(): void }

/** Counts failures in a row; `failed` says how long to wait before the next try. */
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
 * Waits that follow an outage: each within a third of what it has lasted, bounded below and above. Who was away for a
 * second is found again within the next; after minutes the whole range is used, so that many nodes come back spread out.
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

/** Waits, or returns at once when the signal is aborted. Never throws. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

/** A bell that many may ring and one waits for; rings while nobody waits are kept as one. `wait` says whether it rang. */
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
