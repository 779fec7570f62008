import { spawn } from 'node:child_process'
import { closeSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import type { Engine, EngineLog, EngineOptions } from './engine.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { clusterMajor, createCluster, endOrphans, OWNER, withHandle } from './postgres-cluster.ts'
import { type Place, preparePlace, serverSocketFolder } from './postgres-place.ts'
import { secretFile } from './secret-file.ts'

/** Long enough for the recovery of a large cluster after a power cut. */
const START_PATIENCE_MS = 120_000

/**
 * Starts PostgreSQL on a Unix socket in the data folder, with a generated password and no network listener. Creates its
 * cluster on first use. The caller holds the data folder's lock, so any other server found on the cluster is an orphan
 * and is stopped.
 */
export async function startPostgres(options: EngineOptions): Promise<Engine> {
  const durable = options.durable ?? true
  const place = preparePlace(options.dataFolder)
  try {
    const password = secretFile(join(options.dataFolder, 'secrets', 'postgres'))
    const major = clusterMajor(place)
    const bin = postgresBinaries(major, place.programsHome)
    if (!major) createCluster(place, bin, password, durable)
    await endOrphans(place)
    const { child, exited } = launch(place, bin, durable, options.log)
    await ready(place, child.pid!, exited)
    return {
      url: `postgres://${OWNER}:${password}@/${OWNER}?host=${encodeURIComponent(place.socketFolder)}`,
      pid: child.pid!,
      exited,
      async stop() {
        // SIGINT is the fast shutdown: sessions are ended, everything is written, and the next start needs no recovery.
        child.kill('SIGINT')
        await exited
        if (!place.socketFolder.startsWith(place.folder)) rmSync(place.socketFolder, { recursive: true, force: true })
      },
    }
  } finally {
    if (place.handle !== undefined) closeSync(place.handle)
  }
}

/** Libraries preloaded into all programs of this installation, an allocator for example, apply to the database too. */
const preloaded = process.env.LD_PRELOAD ? { LD_PRELOAD: process.env.LD_PRELOAD } : {}

function launch(place: Place, bin: string, durable: boolean, log?: EngineLog) {
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${serverSocketFolder(place)}`,
    'unix_socket_permissions=0700',
    'shared_buffers=128MB',
    'max_connections=200',
    // After a kill, startup first syncs all files: syncing the whole file system takes a fifth of the time.
    'recovery_init_sync_method=syncfs',
    'timezone=UTC',
    'log_timezone=UTC',
    ...(durable ? [] : ['fsync=off', 'full_page_writes=off']),
  ]
  const args = ['-D', join(place.reach, 'cluster'), ...settings.flatMap((setting) => ['-c', setting])]
  // A process group of its own: Ctrl-C in a terminal reaches every process of a group, but the supervisor decides the
  // order.
  const child = spawn(join(bin, 'postgres'), args, {
    ...place.user,
    cwd: '/',
    detached: true,
    env: { ...preloaded, PATH: process.env.PATH, TZ: 'UTC' },
    stdio: withHandle(place, ['ignore', 'ignore', log?.file ?? 'pipe']),
  })
  const last: string[] = []
  const note = (line: string) => {
    if (/(FATAL|PANIC|ERROR|HINT|DETAIL):/.test(line))
      last.push(line.replace(/^.*?(?=FATAL|PANIC|ERROR|HINT|DETAIL)/, ''))
    if (last.length > 3) last.shift()
  }
  if (child.stderr) createInterface({ input: child.stderr }).on('line', note)
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be run: ${error.message}`))
    child.once('close', (code, signal) => {
      if (log) note(log.last())
      resolve(signal ? `ended by ${signal}` : `ended with code ${code}. ${last.join(' ')}`.trim())
    })
  })
  return { child, exited }
}

/** Waits until the server reports readiness on the eighth line of its pid file, as `pg_ctl` does. */
async function ready(place: Place, pid: number, exited: Promise<string>) {
  const note = join(place.folder, 'cluster', 'postmaster.pid')
  const state = { ended: '' }
  exited.then((how) => {
    state.ended = how
  })
  const deadline = Date.now() + START_PATIENCE_MS
  while (Date.now() < deadline) {
    if (state.ended) throw new Error(`PostgreSQL ${state.ended}`)
    const lines = existsSync(note) ? readFileSync(note, 'utf8').split('\n') : []
    if (Number(lines[0]) === pid && lines[7]?.trim() === 'ready') return
    await pause(10)
  }
  throw new Error(`PostgreSQL did not become ready in ${START_PATIENCE_MS / 1000} s`)
}
