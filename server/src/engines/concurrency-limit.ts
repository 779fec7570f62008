/**
 * Runs up to `width` tasks concurrently and lets up to `waitingMax` wait. Further ones are refused, so that a queue
 * cannot exhaust memory.
 */
export type ConcurrencyLimit = <T>(task: () => Promise<T>) => Promise<T>

export function concurrencyLimit(width: number, waitingMax: number, refuse: () => Error): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async function limited<T>(task: () => Promise<T>): Promise<T> {
    if (running >= width) {
      if (waiting.length >= waitingMax) throw refuse()
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await task()
    } finally {
      // The slot is handed over, not freed, so that no other task can take it in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
