/** Waits between retries: capped exponential back-off with full jitter, so that many nodes do not return at once. */

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

/** Calls `then` once at its time, unless the returned function is called before. */
type Alarm = (then: () => void) => () => void

/** How long to wait: ms, or until the next of the beats that others wait for as well. */
export type Wait = number | Alarm

/**
 * Beats that are this many ms apart. Whoever waits for the next one wakes the process together with all others that do:
 * most of what a loop costs that finds nothing to do is waking up.
 */
export function beats(everyMs: number): Alarm {
  const waiting = new Set<() => void>()
  let isSet = false
  function beat() {
    isSet = false
    const all = [...waiting]
    waiting.clear()
    for (const then of all) then()
  }
  return (then) => {
    waiting.add(then)
    if (!isSet) setTimeout(beat, everyMs)
    isSet = true
    return () => waiting.delete(then)
  }
}

/** For loops that look for something about once a second. A wait is a second at most. */
export const everySecond = beats(1000)

function after(ms: number): Alarm {
  return (then) => {
    const timer = setTimeout(then, ms)
    return () => clearTimeout(timer)
  }
}

/** Waits, but returns at once when the signal is aborted. Never throws. */
export async function pause(wait: Wait, signal?: AbortSignal): Promise<void> {
  await doorbell().wait(wait, signal)
}

/** A bell with many ringers and one waiter. Rings while nobody waits count as one. `wait` returns whether it rang. */
export type Doorbell = { ring(): void; wait(wait: Wait, signal?: AbortSignal): Promise<boolean> }

export function doorbell(): Doorbell {
  let rung = false
  let open: (() => void) | undefined
  return {
    ring() {
      rung = true
      open?.()
    },
    async wait(wait, signal) {
      // Without signals of its own, which would be half of what a wait costs.
      if (!rung && !signal?.aborted) {
        await new Promise<void>((resolve) => {
          const set = typeof wait === 'number' ? after(wait) : wait
          const cancel = set(resolve)
          open = () => {
            cancel()
            resolve()
          }
          signal?.addEventListener('abort', open)
        })
        if (open) signal?.removeEventListener('abort', open)
        open = undefined
      }
      const heard = rung
      rung = false
      return heard
    },
  }
}
