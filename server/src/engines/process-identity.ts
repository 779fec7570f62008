import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Identifies a process over time. The system reuses process ids, so the start time is included: ending a process by its
 * identity ends exactly the process that was recorded.
 */
export type ProcessIdentity = { pid: number; startedAt: string }

/** The identity of a running process; undefined if there is no such process (a zombie counts as gone). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  try {
    // The name in parentheses may itself contain blanks and parentheses, so fields are counted from the last one.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, startedAt: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startedAt === identity.startedAt
}

/** Sends the signals one after the other, each with its grace period in ms, until the process is gone. */
export async function endProcess(identity: ProcessIdentity, signals: NodeJS.Signals[], graceMs = 10_000) {
  for (const signal of signals) {
    if (!isRunning(identity)) return
    try {
      process.kill(identity.pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return
      throw error
    }
    const deadline = Date.now() + graceMs
    while (isRunning(identity) && Date.now() < deadline) await pause(20)
  }
  if (isRunning(identity)) throw new Error(`process ${identity.pid} does not end`)
}
