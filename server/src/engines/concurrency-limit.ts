/** Lets so many tasks run at once and so many wait; the next one is refused, so that a queue cannot eat the memory. */
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
      // The place is handed over, not freed: nobody can slip in between.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
