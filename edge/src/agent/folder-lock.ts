/** One agent per folder: two would upload every row twice and overwrite each other's positions. */

import { realpathSync } from 'node:fs'
import { createServer } from 'node:net'
import { hashOf } from './objects.ts'

/**
 * Locks the folder for this process. The name of an abstract socket vanishes with its process, however that ends, so a
 * killed agent never leaves a lock behind. Returns false if another agent holds it.
 */
export function lockFolder(folder: string): Promise<boolean> {
  const name = `\0breakwater-agent-${hashOf(realpathSync(folder)).slice(0, 32)}`
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.unref()
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    )
    server.listen(name, () => resolve(true))
  })
}
