import { copyFileSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 16 << 20
const KEPT = 3
const LOOK_MS = 1_000
const TAIL_BYTES = 4_096

export type LogFile = {
  path: string
  /** Given to the child as its output: it writes by itself, and goes on when the supervisor is gone. */
  file: number
  /** The last line that was written, or nothing. */
  last(): string
  /** Moves what is too long aside. Called now and then. */
  bound(): void
}

/**
 * The log of one child, as the child writes it. A full file is copied to .1 (that to .2, that to .3) and emptied, so
 * that a log cannot fill the disk and the child need not open it anew. `onLine` gets what is written from now on.
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
        // Not that many yet.
      }
    }
    try {
      copyFileSync(path, `${path}.1`)
    } catch (error) {
      // Without room for a copy the lines are given up: half a copy would take the room that everybody waits for.
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

/** Looks after logs until stopped. */
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
