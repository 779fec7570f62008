import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

const MAX_BYTES = 16 << 20
const KEPT = 3

/** The log of one child: a JSON object a line. Full files move to .1, .2 and .3, so that a log cannot fill the disk. */
export function openLog(path: string, name: string) {
  mkdirSync(dirname(path), { recursive: true })
  let file = openSync(path, 'a', 0o640)
  let sizeBytes = statSync(path).size

  function rotate() {
    closeSync(file)
    rmSync(`${path}.${KEPT}`, { force: true })
    for (let old = KEPT - 1; old >= 0; old--) {
      try {
        renameSync(old ? `${path}.${old}` : path, `${path}.${old + 1}`)
      } catch {
        // Not that many yet.
      }
    }
    file = openSync(path, 'a', 0o640)
    sizeBytes = 0
  }

  return {
    path,
    /** Takes a line as the child wrote it: JSON stays as it is, anything else becomes the message of an object. */
    write(line: string) {
      const entry = line.startsWith('{')
        ? line
        : JSON.stringify({ time: new Date().toISOString(), name, message: line })
      sizeBytes += writeSync(file, `${entry}\n`)
      if (sizeBytes > MAX_BYTES) rotate()
    },
  }
}
