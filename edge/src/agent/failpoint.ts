/** Failpoints at which a test kills the agent: between write and sync, sync and rename, receipt and note. */
import { readFileSync, rmSync } from 'node:fs'

const note = process.env.BREAKWATER_FAILPOINT

/**
 * Undefined unless `BREAKWATER_FAILPOINT` names a file, so that `passing?.(…)` costs one check of a constant. The
 * process that passes the point written in that file removes the file, so that it fires once, and kills itself as a
 * power cut would.
 */
export const passing = note
  ? (point: string): void => {
      if (wanted(note) !== point) return
      rmSync(note)
      process.kill(process.pid, 'SIGKILL')
      // Nothing else runs before the signal is delivered.
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
