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

/** The role and database that Breakwater uses. The role is not a superuser, as on an external server. */
export const OWNER = 'breakwater'

/** The major version of the cluster in the folder; undefined before the first start. */
export function clusterMajor(place: Place): string | undefined {
  const path = join(place.folder, 'cluster', 'PG_VERSION')
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/**
 * Creates the cluster under a temporary name first, so that an interrupted start leaves nothing that looks complete.
 */
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
  // Single-user mode needs neither a socket nor a password. It takes one statement per line.
  const statements = [
    `create role ${OWNER} login createdb createrole bypassrls password '${password}'`,
    `create database ${OWNER} owner ${OWNER}`,
  ]
  const args = ['--single', '-D', join(place.reach, 'cluster.new'), '-c', 'log_min_messages=error', 'postgres']
  run(place, join(bin, 'postgres'), args, `${statements.join('\n')}\n`)
  renameSync(half, join(place.folder, 'cluster'))
}

/** A child's stdio as given, plus the folder's handle as file descriptor 3 if the place needs one. */
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
 * Ends whatever an earlier run left on this cluster: a server whose supervisor was killed, or the remaining children of
 * a killed server, which hold its shared memory and would keep a new one from starting. They are recognized by their
 * working folder, which a reused process id does not share. Then removes the stale pid file.
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
  // The server first: it ends its children gracefully.
  if (found.includes(noted)) await end(noted, ['SIGINT', 'SIGQUIT', 'SIGKILL'])
  await Promise.all(found.map((pid) => end(pid, ['SIGQUIT', 'SIGKILL'])))
  rmSync(note, { force: true })
  // Its process id may belong to a zombie that nobody has reaped yet: the new server would wait for it.
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
