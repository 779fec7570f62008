import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * A process that can be found again later. A number alone is reused by the system, so the start time goes with it:
 * whatever is ended by an identity is the very process that was noted.
 */
export type ProcessIdentity = { pid: number; startedAt: string }

/** The identity of a running process, or nothing when there is no such process (a zombie counts as gone). */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  try {
    // The name in brackets may itself hold blanks and brackets, so fields are counted from the last bracket.
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

/** Sends the signals one after the other, each with its grace, until the process is gone. */
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
