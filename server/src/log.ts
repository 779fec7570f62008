/** The log of a process: one JSON line each on standard output. */
import { writeSync } from 'node:fs'
import pino, { type Logger } from 'pino'

/** Lines that wait are written once they are this many characters. */
const waitingCharsMax = 65_536
const newline = 10

/**
 * Lines of one turn of the event loop are written together: a write costs more than making a line. Warnings and errors do
 * not wait, and what is before them goes with them. A process that is killed loses the lines of that turn.
 * `onMissing` is told how many lines found no room, once there is some.
 */
function outputOf(onMissing: (lines: number) => void) {
  let [text, lines, lost] = ['', 0, 0]
  const output = {
    // Has the logger say of each line which level it is.
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      text += line
      lines++
      if (output.lastLevel >= pino.levels.values.warn! || text.length > waitingCharsMax) output.flushSync()
      else if (lines === 1) setImmediate(output.flushSync)
    },
    flushSync() {
      if (lines === 0) return
      const bytes = Buffer.from(text)
      ;[text, lines] = ['', 0]
      let written = 0
      try {
        // A pipe may take a part.
        while (written < bytes.length) written += writeSync(1, bytes, written)
      } catch {
        lost += bytes.subarray(written).filter((byte) => byte === newline).length
        return
      }
      if (lost === 0) return
      const missing = lost
      lost = 0
      onMissing(missing)
    },
  }
  process.once('exit', output.flushSync)
  return output
}

/** `process` is in each line. A disk without room takes no lines, but it does not take the process with it: what it did not take is counted. */
export function makeLogger(process: string, level: string): Logger {
  const output = outputOf((lines) => logger.warn({ lines }, 'lines of this log are missing: they could not be written'))
  const logger = pino(
    { level, base: { process }, redact: ['*.password', '*.accessToken', '*.refreshToken', 'authorization'] },
    output,
  )
  return logger
}
