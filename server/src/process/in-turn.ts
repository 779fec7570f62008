/** Queues heavy work fairly across tenants: a tenant with many calls only delays itself. */
import { Fault } from '../http/fault.ts'

type Options = {
  atOnce: number
  /** The most calls that may wait in all, and of one tenant. */
  waitingMax: number
  waitingOfOneMax: number
  /** The message of the 503. */
  message: string
}

/**
 * Lets at most `atOnce` calls run at a time. Waiting calls are started tenant by tenant, and those of one tenant in
 * order of arrival. A call beyond the waiting limits gets 503 with `message`.
 */
export function turns({ atOnce, waitingMax, waitingOfOneMax, message }: Options) {
  let running = 0
  let waiting = 0
  /** By tenant; the next one in turn comes first. */
  const queues = new Map<number, (() => void)[]>()

  function wait(tenantId: number): Promise<void> {
    const queue = queues.get(tenantId) ?? []
    if (waiting >= waitingMax || queue.length >= waitingOfOneMax)
      throw new Fault('unknownError', undefined, { status: 503, message })
    queues.set(tenantId, queue)
    waiting += 1
    return new Promise((resolve) => queue.push(resolve))
  }

  /** Returns false if none is waiting. */
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
