import { execFileSync, type StdioOptions } from 'node:child_process'
import {
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { type Place, SOCKET_NAME } from './postgres-place.ts'
import { endProcess, identifyProcess } from './process-identity.ts'

/** The role and database that Breakwater uses. The role is no superuser, as with a server of your own. */
export const OWNER = 'breakwater'

/** The major version of the cluster in the folder, or nothing before the first start. */
export function clusterMajor(place: Place): string | undefined {
  const path = join(place.folder, 'cluster', 'PG_VERSION')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** Makes the cluster under another name first, so that a start cut short leaves nothing that looks finished. */
export function createCluster(place: Place, bin: string, password: string, durable: boolean) {
  const half = join(place.folder, 'cluster.new')
  rmSync(half, { recursive: true, force: true })
  const passwordFile = join(place.folder, 'password.new')
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.user) chownSync(passwordFile, place.user.uid, place.user.gid)
  try {
    const options = [
      '--encoding=UTF8',
      '--locale=C.UTF-8',
      '--auth=scram-sha-256',
      '--username=postgres',
      '--no-instructions',
    ]
    run(place, join(bin, 'initdb'), [
      ...['-D', join(place.reach, 'cluster.new'), '--pwfile', join(place.reach, 'password.new'), ...options],
      ...(durable ? [] : ['--no-sync']),
    ])
  } finally {
    rmSync(passwordFile, { force: true })
  }
  // The single-user mode needs no socket and no password. Each line is one statement to it.
  const statements = [
    `create role ${OWNER} login createdb createrole bypassrls password '${password}'`,
    `create database ${OWNER} owner ${OWNER}`,
  ]
  const args = ['--single', '-D', join(place.reach, 'cluster.new'), '-c', 'log_min_messages=error', 'postgres']
  run(place, join(bin, 'postgres'), args, `${statements.join('\n')}\n`)
  renameSync(half, join(place.folder, 'cluster'))
}

/** A child's first three files as given, and the folder's handle as its fourth where the place needs one. */
export function withHandle(place: Place, stdio: ('ignore' | 'pipe' | number)[]): StdioOptions {
  return place.handle === undefined ? stdio : [...stdio, place.handle]
}

function run(place: Place, program: string, args: string[], input?: string) {
  try {
    const stdio = withHandle(place, [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'])
    execFileSync(program, args, { ...place.user, cwd: '/', env: { PATH: process.env.PATH, TZ: 'UTC' }, input, stdio })
  } catch (error) {
    const { stderr, message } = error as { stderr?: Buffer; message: string }
    throw new Error(`${basename(program)} failed: ${stderr?.toString().trim() || message}`)
  }
}

/**
 * Ends whatever an earlier run left on this cluster: a server whose supervisor was killed, or the last children of a
 * killed server, which hold its shared memory and would keep a new one from starting. They are known by their working
 * folder, which no recycled process number shares. A stale note of the number is then removed.
 */
export async function endOrphans(place: Place) {
  const cluster = join(place.folder, 'cluster')
  const note = join(cluster, 'postmaster.pid')
  const noted = existsSync(note) ? Number(readFileSync(note, 'utf8').split('\n')[0]) : 0
  const found = readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && worksIn(pid, cluster))
  const end = async (pid: number, signals: NodeJS.Signals[]) => {
    const identity = identifyProcess(pid)
    if (identity) await endProcess(identity, signals)
  }
  // The server first: it ends its children in good order.
  if (found.includes(noted)) await end(noted, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
  await Promise.all(found.map((pid) => end(pid, ['SIGQUIT', 'SIGKILL'])))
  rmSync(note, { force: true })
  // Its number may still be that of a process which is dead and that nobody has taken note of: the server would wait.
  rmSync(join(place.socketFolder, `${SOCKET_NAME}.lock`), { force: true })
}

function worksIn(pid: number, folder: string): boolean {
  try {
    return (
      readlinkSync(`/proc/${pid}/cwd`) === folder && basename(readlinkSync(`/proc/${pid}/exe`)).startsWith('postgres')
    )
  } catch {
    return false
  }
}
