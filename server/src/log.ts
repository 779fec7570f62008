/** The log of a process: one JSON object per line on standard output. */
import { writeSync } from 'node:fs'
import pino, { type Logger } from 'pino'

/** Waiting lines are written once they have this many characters. */
const waitingCharsMax = 65_536
const newline = 10

/**
 * The lines of one turn of the event loop are written together: a write takes longer than formatting a line. Warnings
 * and errors are written immediately, with the lines before them. A process that is killed loses the lines of that
 * turn. `onMissing` is called with the number of lines that could not be written, once there is space.
 */
function outputOf(onMissing: (lines: number) => void) {
  let [text, lines, lost] = ['', 0, 0]
  const output = {
    // Makes pino set `lastLevel` before each write.
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
        // A pipe may accept only a part.
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

/** `process` is part of each line. A full disk loses lines but does not end the process: the lost lines are counted. */
export function makeLogger(process: string, level: string): Logger {
  const output = outputOf((lines) => logger.warn({ lines }, 'lines of this log are missing: they could not be written'))
  const logger = pino(
    { level, base: { process }, redact: ['*.password', '*.accessToken', '*.refreshToken', 'authorization'] },
    output,
  )
  return logger
}
