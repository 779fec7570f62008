/** The folders of a node and who may enter them (the contract's `node-disk.ts` says what is in them). */
import { chmodSync, chownSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Access } from './files.ts'

/** The user of nginx's workers, where everything starts as root. */
export type WorkerUser = { name: string; uid: number; gid: number }

export type Layout = {
  folder: string
  objects: string
  secrets: string
  feedLog: string
  purgesLog: string
  spool: string
  run: string
  pidFile: string
  controlSocket: string
  /** The agent's own: identity, keys, positions. Nobody else enters. */
  own: string
  /** For files that nginx's workers read. */
  readable: Access
  /** For files of the agent alone. */
  private: Access
}

/** The user from /etc/passwd, or nothing where the agent is not root: nginx then runs as the agent's own user. */
export function workerUser(name: string): WorkerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  if (uid === undefined || gid === undefined) throw new Error(`there is no user ${name} on this machine`)
  return { name, uid: Number(uid), gid: Number(gid) }
}

/** The first folder above that this user may not pass, as below /root. */
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
    secrets: join(folder, 'secrets'),
    feedLog: join(folder, 'log/feed.log'),
    purgesLog: join(folder, 'log/purges.log'),
    spool: join(folder, 'spool'),
    run: join(folder, 'run'),
    pidFile: join(folder, 'run/nginx.pid'),
    controlSocket: join(folder, 'run/control.sock'),
    own: join(folder, 'agent'),
    readable: { mode: 0o640, gid: user?.gid },
    private: { mode: 0o600 },
  }
}

/** Makes all folders. As root they belong to root, and the workers' group may read; it writes only to the spool. */
export function makeLayout(layout: Layout, user: WorkerUser | undefined): void {
  const folders: [string, number][] = [
    [layout.folder, 0o750],
    [layout.objects, 0o750],
    [layout.secrets, 0o750],
    [dirname(layout.feedLog), 0o750],
    [layout.spool, 0o770],
    [layout.run, 0o750],
    [layout.own, 0o700],
  ]
  for (const [path, mode] of folders) {
    mkdirSync(path, { recursive: true, mode })
    chmodSync(path, mode)
    if (user) chownSync(path, 0, path === layout.own ? 0 : user.gid)
  }
}
