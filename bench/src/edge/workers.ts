/** nginx's workers, and their CPU time. */
import { readdirSync, readFileSync } from 'node:fs'

/** The workers of nginx's master, without its cache helper processes, one of which exits by itself. */
export function workersOf(master: number): number[] {
  const children = readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim().split(' ').map(Number)
  return children.filter(isWorker)
}

export const isWorker = (pid: number): boolean =>
  readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('worker process')

/** CPU time of a process and all of its threads, except those that have exited, in µs, as the scheduler accounts it. */
export const cpuOfThreads = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce(
    (sum, id) => sum + Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]) / 1000,
    0,
  )

/** The same for several processes: workers have threads that check passwords and inspect long requests. */
export const cpuOf = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOfThreads(pid), 0)
