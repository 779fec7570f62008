/** Points at which a test can make the server die: between storing a batch, recording it, and acknowledging it. */
import { readFileSync, rmSync } from 'node:fs'

const note = process.env.BREAKWATER_FAILPOINT

/**
 * Undefined unless `BREAKWATER_FAILPOINT` names a file, so that `passing?.(…)` only costs reading a constant. The
 * process that passes the point named in that file removes the file, so that it happens once, and kills itself as if by
 * a power cut.
 */
export const passing = note
  ? (point: string): void => {
      if (wanted(note) !== point) return
      rmSync(note)
      process.kill(process.pid, 'SIGKILL')
      // The signal takes effect before anything else runs.
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
