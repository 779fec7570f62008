/** Heavy work in turn, the tenants one after the other: who asks for much of it waits for it alone. */
import { Fault } from '../http/fault.ts'

type Options = {
  atOnce: number
  /** So many wait, and so many of one tenant. */
  waitingMax: number
  waitingOfOneMax: number
  /** What is said to who comes beyond. */
  message: string
}

/**
 * Lets at most `atOnce` run at a time. Those who wait are let in tenant by tenant, and those of one in the order in which
 * they came. Who comes beyond what may wait is told to come again (503), in the words of `message`.
 */
export function turns({ atOnce, waitingMax, waitingOfOneMax, message }: Options) {
  let running = 0
  let waiting = 0
  /** By tenant; whose turn is next stands first. */
  const queues = new Map<number, (() => void)[]>()

  function wait(tenantId: number): Promise<void> {
    const queue = queues.get(tenantId) ?? []
    if (waiting >= waitingMax || queue.length >= waitingOfOneMax)
      throw new Fault('unknownError', undefined, { status: 503, message })
    queues.set(tenantId, queue)
    waiting += 1
    return new Promise((resolve) => queue.push(resolve))
  }

  /** False where nobody waits. */
  function letNext(): boolean {
    const [first] = queues
    if (!first) return false
    const [tenantId, queue] = first
    const go = queue.shift()
    queues.delete(tenantId)
    if (queue.length > 0) queues.set(tenantId, queue)
    waiting -= 1
    go?.()
    return true
  }

  return async <T>(tenantId: number, run: () => Promise<T>): Promise<T> => {
    if (running >= atOnce) await wait(tenantId)
    else running += 1
    try {
      return await run()
    } finally {
      if (!letNext()) running -= 1
    }
  }
}
