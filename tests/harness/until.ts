/** Waits for a condition, never for a fixed time. */
import { setTimeout as pause } from 'node:timers/promises'

/** Thrown by the condition to indicate that further waiting is useless. */
export class Hopeless extends Error {}

/**
 * Calls `ask` until the result is truthy; throws with what it waited for, and the last error, when the time is up. For
 * a long wait use a long interval: callers are rate-limited.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  timeoutMs = 60_000,
  everyMs = 50,
): Promise<T> {
  const end = performance.now() + timeoutMs
  let last: unknown
  while (performance.now() < end) {
    try {
      const answer = await ask()
      if (answer) return answer
    } catch (error) {
      if (error instanceof Hopeless) throw error
      last = error
    }
    await pause(everyMs)
  }
  throw new Error(`waited ${timeoutMs} ms for ${what}`, { cause: last })
}
