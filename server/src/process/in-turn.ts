/** Heavy work in turn. */
import { Fault } from '../http/fault.ts'

/**
 * Lets at most `atOnce` run at a time. `waitingMax` more wait in the order in which they came; who comes beyond is told to
 * come again, in the words of `message`.
 */
export function turns({ atOnce, waitingMax, message }: { atOnce: number; waitingMax: number; message: string }) {
  let running = 0
  const waiting: (() => void)[] = []
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) throw new Fault('unknownError', undefined, { status: 503, message })
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await run()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
