/** Points at which a test kills the agent: between a write and its sync, a sync and its rename, a receipt and its note. */
import { readFileSync, rmSync } from 'node:fs'

const note = process.env.BREAKWATER_FAILPOINT

/**
 * Nothing unless `BREAKWATER_FAILPOINT` names a file, so that `passing?.(…)` costs one look at a constant. The process
 * that passes the point written in that file removes it, that it be once, and is gone as by a power cut.
 */
export const passing = note
  ? (point: string): void => {
      if (wanted(note) !== point) return
      rmSync(note)
      process.kill(process.pid, 'SIGKILL')
      // The signal is taken before anything else is done.
      for (;;);
    }
  : undefined

function wanted(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
