/** The folders of a node and their permissions (the contract's `node-disk.ts` describes their contents). */
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeFolders } from '../nginx/folder.ts'
import type { Access } from './files.ts'
import { log } from './log.ts'

/** The user of nginx's workers if everything starts as root. */
export type WorkerUser = { name: string; uid: number; gid: number }

export type Layout = {
  folder: string
  objects: string
  prefilters: string
  addressData: string
  secrets: string
  feedLog: string
  purgesLog: string
  bansLog: string
  spool: string
  run: string
  pidFile: string
  controlSocket: string
  /** The agent's own folder: identity, keys, positions. Nobody else has access. */
  own: string
  /** Permissions of files that nginx's workers read. */
  readable: Access
  /** Permissions of files that only the agent reads. */
  private: Access
}

/**
 * The user of the workers; undefined if the agent is not root, as nginx then runs as the agent's own user. If that user
 * cannot reach the folder, for example below /root, the workers run as root: no permissions are loosened for it.
 */
export function chooseWorkerUser(name: string, folder: string): WorkerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = userNamed(name)
  mkdirSync(folder, { recursive: true })
  const closed = closedFolder(dirname(folder), user)
  if (closed === undefined) return user
  log.warn('the user of the workers cannot enter the node’s folder, so they run as root; move it to be safer', {
    user: name,
    closed,
  })
  return { name: 'root', uid: 0, gid: 0 }
}

function userNamed(name: string): WorkerUser {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name} on this machine`)
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** The topmost folder on the path that this user may not enter, for example /root. */
export function closedFolder(folder: string, user: WorkerUser): string | undefined {
  const parent = dirname(folder)
  const above = parent === folder ? undefined : closedFolder(parent, user)
  if (above !== undefined) return above
  const { mode, uid, gid } = statSync(folder)
  const needed = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & needed) === 0 ? folder : undefined
}

export function layoutOf(folder: string, user: WorkerUser | undefined): Layout {
  return {
    folder,
    objects: join(folder, 'objects'),
    prefilters: join(folder, 'prefilters'),
    addressData: join(folder, 'address-data'),
    secrets: join(folder, 'secrets'),
    feedLog: join(folder, 'log/feed.log'),
    purgesLog: join(folder, 'log/purges.log'),
    bansLog: join(folder, 'log/bans.log'),
    spool: join(folder, 'spool'),
    run: join(folder, 'run'),
    pidFile: join(folder, 'run/nginx.pid'),
    controlSocket: join(folder, 'run/control.sock'),
    own: join(folder, 'agent'),
    readable: { mode: 0o640, gid: user?.gid },
    private: { mode: 0o600 },
  }
}

/** Creates all folders: those that nginx needs, with its permissions, and the agent's own, closed to others. */
export function makeLayout(layout: Layout, user: WorkerUser | undefined): void {
  const folders = [...nodeFolders(layout), { path: layout.own, mode: 0o700, ofWorkers: false }]
  for (const { path, mode, ofWorkers } of folders) {
    mkdirSync(path, { recursive: true, mode })
    chmodSync(path, mode)
    if (user) chownSync(path, ofWorkers ? user.uid : 0, ofWorkers ? user.gid : 0)
  }
}
