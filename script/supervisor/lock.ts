import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

/** Somebody else holds the folder; the message says who. */
export class AlreadyRuns extends Error {}

/**
 * Makes this process the only supervisor of the data folder, until it ends in whatever way. The lock is a socket name
 * of the kernel's own (the leading zero byte): taken by one process only, and free again the moment that one is gone.
 */
export async function lockFolder(dataFolder: string): Promise<void> {
  mkdirSync(dataFolder, { recursive: true })
  const note = join(dataFolder, 'supervisor.pid')
  const name = createHash('sha256').update(realpathSync(dataFolder)).digest('hex')
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EADDRINUSE') return reject(error)
      reject(
        new AlreadyRuns(
          `Breakwater already runs on ${dataFolder} (process ${readNote(note)}). Stop it first, or use another BREAKWATER_DATA.`,
        ),
      )
    })
    server.listen(`\0breakwater-${name}`, resolve)
  })
  // The lock must not keep the process alive when everything else has ended.
  server.unref()
  writeFileSync(note, String(process.pid))
}

function readNote(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'unknown'
  }
}
