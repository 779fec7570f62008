/** Waiting for a condition, never for a time. */
import { setTimeout as pause } from 'node:timers/promises'

/** Thrown by what is asked to say that waiting on is of no use. */
export class Hopeless extends Error {}

/** Asks again until the answer is truthy; throws with what it waited for, and the last error, when the time is up. A long wait asks seldom: callers have budgets. */
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
