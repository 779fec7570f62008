import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Another process holds the folder; the message says which. */
export class AlreadyRuns extends Error {}

/**
 * Makes this process the only supervisor of the data folder, until it ends in whatever way. The lock is an abstract
 * Unix socket (the leading zero byte): only one process can bind it, and the kernel frees it the moment that process is
 * gone.
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

/** How long a supervisor may take to hand over. */
const HANDOVER_MS = 10_000

/**
 * Asks the folder's supervisor to exit without stopping anything, and takes its place. Throws if none is running, or if
 * it does not exit in time.
 */
export async function takeOver(dataFolder: string): Promise<void> {
  const pid = Number(readNote(join(dataFolder, 'supervisor.pid')))
  const held = await lockFolder(dataFolder).then(
    () => false,
    (error: unknown) => {
      if (error instanceof AlreadyRuns) return true
      throw error
    },
  )
  if (!held) throw new Error(`Nothing runs on ${dataFolder}: start it with script/server, or name its BREAKWATER_DATA.`)
  process.kill(pid, 'SIGUSR2')
  const deadline = Date.now() + HANDOVER_MS
  for (;;) {
    try {
      return await lockFolder(dataFolder)
    } catch (error) {
      if (!(error instanceof AlreadyRuns) || Date.now() > deadline) throw error
      await pause(20)
    }
  }
}

function readNote(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return 'unknown'
  }
}
