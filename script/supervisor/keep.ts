import { setTimeout as pause } from 'node:timers/promises'
import { makeBackoff } from './backoff.ts'

/** A started process. `exited` settles when it is gone, with how it ended. */
export type Running = { pid: number | undefined; stop(): Promise<void>; exited: Promise<string> }

export type Part = {
  name: string
  start(): Promise<Running> | Running
  /** Cleans up after an unexpected death, before the next start. */
  cleanUp?(): Promise<unknown>
}

export type Watch = {
  started(name: string, pid: number | undefined): void
  died(name: string, how: string, retryMs: number): void
}

/**
 * Keeps a part running: starts it, and restarts it whenever it dies, until it is stopped. The first start is left to
 * the caller: it throws if the part cannot be started at all.
 */
export async function keep(part: Part, watch: Watch, backoff = makeBackoff()) {
  const stop = new AbortController()
  let running = await part.start()
  let startedMs = performance.now()
  watch.started(part.name, running.pid)

  async function follow() {
    while (!stop.signal.aborted) {
      const how = await running.exited
      if (!stop.signal.aborted) await restart(how)
    }
  }

  async function restart(how: string) {
    let reason = how
    let livedMs = performance.now() - startedMs
    while (!stop.signal.aborted) {
      const retryMs = backoff.nextMs(livedMs)
      watch.died(part.name, reason, retryMs)
      await pause(retryMs, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return
      try {
        await part.cleanUp?.()
        startedMs = performance.now()
        running = await part.start()
        watch.started(part.name, running.pid)
        return
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
        livedMs = 0
      }
    }
  }

  const followed = follow()
  return {
    name: part.name,
    async stop() {
      stop.abort()
      await running.stop()
      // If a start was in progress when the stop came, wait for it and stop that process too.
      await followed
      await running.stop()
      await part.cleanUp?.()
    },
  }
}

export type Kept = Awaited<ReturnType<typeof keep>>
