/** The log of a process: one JSON line each on standard output. */
import { writeSync } from 'node:fs'
import pino, { type Logger } from 'pino'

/** `process` is in each line. A disk without room takes no lines, but it does not take the process with it: what it did not take is counted. */
export function makeLogger(process: string, level: string): Logger {
  let lost = 0
  const output = {
    write(line: string) {
      try {
        writeSync(1, line)
      } catch {
        lost++
        return
      }
      if (lost === 0) return
      const lines = lost
      lost = 0
      logger.warn({ lines }, 'lines of this log are missing: they could not be written')
    },
  }
  const logger = pino(
    { level, base: { process }, redact: ['*.password', '*.accessToken', '*.refreshToken', 'authorization'] },
    output,
  )
  return logger
}
