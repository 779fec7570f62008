import { copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 16 << 20
const KEPT = 3
const LOOK_MS = 1_000
const TAIL_BYTES = 4_096

export type LogFile = {
  path: string
  /** Passed to the child as its output: the child writes to it directly, and continues when the supervisor is gone. */
  file: number
  /** The last line that was written, or an empty string. */
  last(): string
  /** Rotates the log if it is too long. Called periodically. */
  bound(): void
}

/**
 * The log of one child, written by the child itself. A full file is copied to .1 (that to .2, that to .3) and
 * truncated, so that a log cannot fill the disk and the child need not reopen it. `onLine` receives the lines that are
 * written from now on.
 */
export function openLog(path: string, onLine?: (line: string) => void): LogFile {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a+', 0o640)
  let shown = fstatSync(file).size
  let rest = ''

  function read(from: number, bytes: number): string {
    const chunk = Buffer.alloc(bytes)
    return chunk.toString('utf8', 0, readSync(file, chunk, 0, bytes, from))
  }

  function show(size: number) {
    if (!onLine || size <= shown) return
    const lines = (rest + read(shown, size - shown)).split('\n')
    shown = size
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  }

  function bound() {
    const { size } = fstatSync(file)
    show(size)
    if (size <= MAX_BYTES) return
    for (let old = KEPT - 1; old >= 1; old--) {
      try {
        renameSync(`${path}.${old}`, `${path}.${old + 1}`)
      } catch {
        // There are not that many yet.
      }
    }
    try {
      copyFileSync(path, `${path}.1`)
    } catch (error) {
      // Without space for a copy the lines are dropped: half a copy would take the space that everybody is waiting for.
      rmSync(`${path}.1`, { force: true })
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
    ftruncateSync(file)
    shown = 0
  }

  return {
    path,
    file,
    bound,
    last() {
      const { size } = fstatSync(file)
      const from = Math.max(0, size - TAIL_BYTES)
      return (
        read(from, size - from)
          .trimEnd()
          .split('\n')
          .at(-1) ?? ''
      )
    },
  }
}

/** Rotates logs until stopped. */
export function boundLogs(logs: LogFile[], signal: AbortSignal): void {
  const timer = setInterval(() => {
    for (const log of logs) log.bound()
  }, LOOK_MS)
  timer.unref()
  signal.addEventListener('abort', () => {
    clearInterval(timer)
    for (const log of logs) log.bound()
  })
}
