import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, chownSync, constants, lstatSync, mkdirSync, openSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The user `nobody` of every Linux system: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65534, gid: 65534 }

/** Where root may store files that every user can read. */
const MACHINE_CACHE = '/var/cache/breakwater'

/** The maximum length of a Unix socket's path, in bytes; a kernel limit. */
const SOCKET_PATH_MAX_BYTES = 107
export const SOCKET_NAME = '.s.PGSQL.5432'

/** Where a cluster is, and how the user that runs it reaches it. */
export type Place = {
  /** The real path of the engine's folder. */
  folder: string
  /** The same folder, under a path that the running user can follow. */
  reach: string
  /** An open handle of the folder, passed to every child as file descriptor 3, if `reach` goes through it. */
  handle: number | undefined
  /** The socket's folder, as clients name it. */
  socketFolder: string
  /** Where the server programs may be unpacked so that the running user can read them. */
  programsHome: string
  /** The user to run as; undefined if it is our own. */
  user: { uid: number; gid: number } | undefined
}

export function preparePlace(dataFolder: string): Place {
  const made = join(dataFolder, 'postgres')
  mkdirSync(made, { recursive: true })
  const folder = realpathSync(made)
  const user = process.getuid?.() === 0 ? NOBODY : undefined
  if (user) chownSync(folder, user.uid, user.gid)
  chmodSync(folder, 0o700)

  // `nobody` cannot enter folders below /root, for example. An open handle of the folder does not depend on the folders
  // above it, so the server is told to use that, and no permissions on the machine have to be loosened. Programs are
  // looked up by their real path, where a handle does not help, so they go to the machine's cache.
  const closed = user !== undefined && !canEnter(folder, user)
  const socketFolder = shortEnough(join(folder, 'socket')) ? join(folder, 'socket') : temporarySocketFolder(folder)
  mkdirSync(socketFolder, { recursive: true, mode: 0o700 })
  if (user) chownSync(socketFolder, user.uid, user.gid)
  if (closed) {
    mkdirSync(MACHINE_CACHE, { recursive: true })
    chmodSync(MACHINE_CACHE, 0o755)
  }
  return {
    folder,
    reach: closed ? '/proc/self/fd/3' : folder,
    handle: closed ? openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY) : undefined,
    socketFolder,
    programsHome: closed ? MACHINE_CACHE : folder,
    user,
  }
}

/** The socket's folder, as the server itself names it. */
export function serverSocketFolder(place: Place): string {
  return place.socketFolder.replace(place.folder, place.reach)
}

function canEnter(folder: string, user: { uid: number; gid: number }): boolean {
  try {
    execFileSync('test', ['-x', folder], { ...user, cwd: '/', stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

function shortEnough(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= SOCKET_PATH_MAX_BYTES
}

/** A folder name derived from the data folder, so that the URL stays the same across restarts. */
function temporarySocketFolder(folder: string): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  const path = join(tmpdir(), `breakwater-${name}`)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  // Anybody may create names in the temporary folder: one created by somebody else could intercept our password.
  const { uid, mode } = lstatSync(path)
  const owners = [process.getuid?.(), process.getuid?.() === 0 ? NOBODY.uid : undefined]
  if (!owners.includes(uid) || mode & 0o077 || !lstatSync(path).isDirectory()) {
    throw new Error(`${path} belongs to somebody else; remove it, or set TMPDIR to a folder of your own`)
  }
  if (!shortEnough(path))
    throw new Error(`the path of ${tmpdir()} is too long for a socket; set TMPDIR to a shorter one`)
  return path
}
