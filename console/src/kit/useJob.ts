/** Long-running jobs: they continue anywhere in the console, and their end is announced. */
import { useEffect, useSyncExternalStore } from 'react'
import { dropPending, keepPending, pendingAt } from '../platform/pending.ts'
import { toasts } from '../platform/toasts.ts'
import { showFault } from './faults.tsx'

export type Job<State> = {
  /** The last reported state; undefined until then. */
  state: State | undefined
  isOver: boolean
}

type Start<State> = {
  /** What it works on, so that it can be found again: `purge/17`. */
  id: string
  /** Does the work, or follows it; `tell` reports the progress. Resolves with the message for its end. */
  run: (tell: (state: State) => void) => Promise<{ said: string; isBad?: boolean } | undefined>
}

const jobs = new Map<string, Job<unknown>>()
const watchers = new Set<() => void>()

function put(id: string, job: Job<unknown>): void {
  jobs.set(id, job)
  for (const watch of watchers) watch()
}

/**
 * Starts a job. A later one with the same id replaces it on screen; the end of both is announced. An error is shown and
 * ends it.
 */
export async function startJob<State>({ id, run }: Start<State>): Promise<void> {
  let mine: Job<unknown> = { state: undefined, isOver: false }
  put(id, mine)
  function tell(next: Job<unknown>) {
    if (jobs.get(id) !== mine) return
    mine = next
    put(id, next)
  }
  try {
    const end = await run((state) => tell({ state, isOver: false }))
    if (end) (end.isBad ? toasts.failed : toasts.done)(end.said)
  } catch (fault) {
    await showFault(fault)
  } finally {
    tell({ ...mine, isOver: true })
  }
}

/** Follows a task of the server, and continues after a page reload (`useFollowed`). */
export async function follow<State>(id: string, taskId: number, run: Start<State>['run']): Promise<void> {
  keepPending(id, taskId)
  await startJob({ id, run })
  if (pendingAt(id) === taskId) dropPending(id)
}

/** Returns the job that follows a task; `again` resumes one from before a page reload. */
export function useFollowed<State>(id: string, again: (taskId: number) => void): Job<State> | undefined {
  const job = useJob<State>(id)
  useEffect(() => {
    const taskId = pendingAt(id)
    if (taskId !== undefined && !jobs.has(id)) again(taskId)
  })
  return job
}

/** Returns a job by id, even one started on another page; undefined if there is none. */
export function useJob<State>(id: string): Job<State> | undefined {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => jobs.get(id) as Job<State> | undefined,
  )
}

/** Polls until it is over. A single missing response is tolerated; several in a row throw. */
export async function readUntil<State>(
  read: () => Promise<State>,
  isOver: (state: State) => boolean,
  tell: (state: State) => void,
  everyMs = 500,
): Promise<State> {
  for (let failures = 0; ; ) {
    try {
      const state = await read()
      tell(state)
      if (isOver(state)) return state
      failures = 0
    } catch (fault) {
      failures += 1
      if (failures >= 5) throw fault
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs * 2 ** failures))
  }
}
