/** What takes longer than a page is looked at: it goes on wherever one is in the console, and its end is said. */
import { useEffect, useSyncExternalStore } from 'react'
import { dropPending, keepPending, pendingAt } from '../platform/pending.ts'
import { toasts } from '../platform/toasts.ts'
import { showFault } from './faults.tsx'

export type Job<State> = {
  /** What it told last; nothing until then. */
  state: State | undefined
  isOver: boolean
}

type Start<State> = {
  /** What it works on, so that it is found again: `purge/17`. */
  id: string
  /** Does it, or watches it being done; tells how far it is. Resolves with the words for its end. */
  run: (tell: (state: State) => void) => Promise<{ said: string; isBad?: boolean } | undefined>
}

const jobs = new Map<string, Job<unknown>>()
const watchers = new Set<() => void>()

function put(id: string, job: Job<unknown>): void {
  jobs.set(id, job)
  for (const watch of watchers) watch()
}

/** Begins a job. A later one of the same name takes its place in sight; the end of both is said. A refusal is shown and ends it. */
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

/** Watches a task of the server, and goes on watching it when the page is loaded anew (`useFollowed`). */
export async function follow<State>(id: string, taskId: number, run: Start<State>['run']): Promise<void> {
  keepPending(id, taskId)
  await startJob({ id, run })
  if (pendingAt(id) === taskId) dropPending(id)
}

/** The job of a task that is followed; `again` takes up what was under way before the page was loaded. */
export function useFollowed<State>(id: string, again: (taskId: number) => void): Job<State> | undefined {
  const job = useJob<State>(id)
  useEffect(() => {
    const taskId = pendingAt(id)
    if (taskId !== undefined && !jobs.has(id)) again(taskId)
  })
  return job
}

/** A job by its name, also one that was begun on another page; nothing where there was none. */
export function useJob<State>(id: string): Job<State> | undefined {
  return useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => jobs.get(id) as Job<State> | undefined,
  )
}

/** Reads again and again until it is over. One answer that does not come ends nothing; several in a row do. */
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
