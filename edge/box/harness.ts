/**
 * A real nginx for a test: writes a node's folder from artefacts like the agent, starts nginx, waits for it, and stops
 * it by its process ID. Everything listens on free loopback ports.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { CounterRow, RequestRow } from '@breakwater/contract/edge/events.ts'
import type { BegunBan, NginxState, NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { rowOfLine } from '@breakwater/contract/edge/row-lines.ts'
import { expectNoCrash } from '../../tests/harness/crashes.ts'
import { freePort } from '../../tests/harness/ports.ts'
import { nodeFolders, staleSockets } from '../src/nginx/folder.ts'
import { markOf, renderNginxConf } from '../src/nginx/render.ts'
import { type Reply, send } from './client.ts'
import { NodeDisk } from './disk.ts'

const room = fileURLToPath(new URL('..', import.meta.url))

/**
 * Waits until a condition holds; throws with what it waited for if it never does. The default timeout is long, for
 * machines busy with other tests.
 */
export async function until(what: string, holds: () => unknown | Promise<unknown>, ms = 60_000): Promise<void> {
  const end = Date.now() + ms
  for (;;) {
    if (await holds()) return
    if (Date.now() > end) throw new Error(`never saw: ${what}`)
    await setTimeout(20)
  }
}

/** The modification time of the newest file under a folder, in ms. */
function newest(folder: string): number {
  let time = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) time = Math.max(time, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return time
}

/** The process that holds a lock; this process if the lock is gone, 0 (which counts as running) if not written yet. */
function ownerOf(lock: string): number {
  try {
    return Number(readFileSync(lock, 'utf8'))
  } catch {
    return process.pid
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Compiles the request path if its sources or the contract's are newer. Test files run concurrently: one builds, the
 * others wait.
 */
const countriesFile = join(room, 'lua/countries.bin')
const networksFile = join(room, 'lua/networks.bin')
const namesFile = join(room, 'lua/networks.names')

export async function buildLua(): Promise<void> {
  const lock = join(tmpdir(), `bw-edge-build-${Buffer.from(room).toString('base64url').slice(-40)}`)
  const isBuilt = () =>
    existsSync(join(room, 'lua/edge')) &&
    existsSync(countriesFile) &&
    existsSync(networksFile) &&
    existsSync(namesFile) &&
    newest(join(room, 'lua')) > Math.max(newest(join(room, 'src/request')), newest(join(room, '../contract/src')))
  await until(
    'the compiled request path',
    () => {
      if (isBuilt() && !existsSync(lock)) return true
      try {
        writeFileSync(lock, String(process.pid), { flag: 'wx' })
      } catch {
        // A killed builder leaves its lock behind. A slow one keeps it.
        if (!isRunning(ownerOf(lock))) rmSync(lock, { force: true })
        return false
      }
      try {
        const tool = createRequire(import.meta.url).resolve('typescript-to-lua/dist/tstl.js')
        if (!isBuilt())
          execFileSync(process.execPath, [tool, '-p', 'tsconfig.lua.json'], { cwd: room, stdio: 'inherit' })
        // The tables are next to the request path, and must not be older than it.
        execFileSync(process.execPath, ['src/address-data/write.ts'], { cwd: room })
      } finally {
        rmSync(lock, { force: true })
      }
      return true
    },
    240_000,
  )
}

/** The user of the workers if the test runs as root: nginx's default user could not enter the folder. */
function workerUser(): { name: string; uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'www-data'], { encoding: 'utf8' }))
  return { name: 'www-data', uid: id('-u'), gid: id('-g') }
}

export type BoxOptions = Partial<
  Pick<
    NodeSettings,
    | 'nodeId'
    | 'zoneId'
    | 'groupId'
    | 'workers'
    | 'lab'
    | 'caFile'
    | 'trustedProxies'
    | 'resolvers'
    | 'cacheBytes'
    | 'ownAddresses'
    | 'ownPorts'
    | 'httpPort'
    | 'httpsPort'
    | 'http2'
    | 'http3'
    | 'ports'
    | 'heads'
  >
>

/** The key shared by the nodes of a box's group. */
export const groupKey = 'k'.repeat(32)

/** One node: its folder, its nginx, and the agent's calls to it. */
export class Box {
  readonly settings: NodeSettings
  readonly disk: NodeDisk
  private child: ChildProcess | undefined
  private readonly change: (conf: string) => string

  private constructor(settings: NodeSettings, disk: NodeDisk, change: (conf: string) => string) {
    this.settings = settings
    this.disk = disk
    this.change = change
  }

  /** Creates the folder, lets `prepare` write to it, and starts nginx. `change` modifies the rendered nginx.conf. */
  static async start(
    options: BoxOptions = {},
    prepare?: (disk: NodeDisk) => void,
    change: (conf: string) => string = (conf) => conf,
  ): Promise<Box> {
    await buildLua()
    const folder = mkdtempSync(join(tmpdir(), 'bw-'))
    const user = workerUser()
    const settings: NodeSettings = {
      nodeId: 7,
      zoneId: 2,
      groupId: 3,
      folder,
      httpPort: await freePort(),
      httpsPort: await freePort(),
      workers: 2,
      ...(user && { user: user.name }),
      lab: false,
      cacheBytes: 64_000_000,
      luaFolder: join(room, 'lua'),
      countriesFile,
      networksFile,
      modulesFolder: '/usr/lib/nginx/modules',
      trustedProxies: [],
      ...options,
    }
    for (const { path, mode, ofWorkers } of nodeFolders(settings)) {
      mkdirSync(path, { recursive: true })
      chmodSync(path, mode)
      if (user && ofWorkers) chownSync(path, user.uid, user.gid)
    }
    certificate(folder)
    const disk = new NodeDisk(folder, user)
    disk.secret(0, 'groupKey@1', groupKey)
    prepare?.(disk)
    const box = new Box(settings, disk, change)
    await box.boot()
    return box
  }

  /** Starts nginx with the folder as it is. */
  async boot(): Promise<void> {
    for (const socket of staleSockets(this.settings)) rmSync(socket, { force: true })
    const conf = join(this.settings.folder, 'nginx.conf')
    writeFileSync(conf, this.change(renderNginxConf(this.settings)))
    const child = spawn('nginx', ['-c', conf, '-p', this.settings.folder, '-e', this.errorLog], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.child = child
    const before = this.errors().length
    let said = ''
    child.stderr!.on('data', (data: Buffer) => {
      said += data.toString()
    })
    const answers = async () => {
      const errors = this.errors().slice(before)
      if (child.exitCode !== null || errors.includes('exited on signal'))
        throw new Error(`nginx ended: ${said}${errors}`)
      const state = this.state().catch(() => undefined)
      return (await Promise.race([state, setTimeout(5000, undefined, { ref: false })])) !== undefined
    }
    await until('nginx that answers', answers, 240_000).catch(async (error: unknown) => {
      await this.stop('SIGKILL')
      throw error
    })
  }

  /** Reloads the running nginx with a changed configuration, like the agent, and waits until it is in force. */
  async reconfigure(changes: Pick<BoxOptions, 'http2' | 'ports' | 'heads' | 'trustedProxies'>): Promise<void> {
    Object.assign(this.settings, changes)
    const text = this.change(renderNginxConf(this.settings))
    writeFileSync(join(this.settings.folder, 'nginx.conf'), text)
    this.signal('SIGHUP')
    await until('nginx with its new configuration', async () => (await this.state()).conf === markOf(text), 240_000)
  }

  /** Stops nginx and waits until it exits. SIGQUIT lets requests finish, SIGTERM does not, SIGKILL is a crash. */
  async stop(signal: 'SIGQUIT' | 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    const child = this.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const workers = signal === 'SIGKILL' ? this.workers() : []
    child.kill(signal)
    for (const pid of workers) process.kill(pid, 'SIGKILL')
    await ended
  }

  /** Stops nginx and removes the folder. Throws if nginx crashed in the meantime. */
  async end(): Promise<void> {
    await this.stop()
    try {
      expectNoCrash(this.errorLog)
    } finally {
      rmSync(this.settings.folder, { recursive: true, force: true })
    }
  }

  /** The process IDs of nginx's workers. */
  workers(): number[] {
    const path = `/proc/${this.child!.pid}/task/${this.child!.pid}/children`
    return readFileSync(path, 'utf8').trim().split(' ').filter(Boolean).map(Number)
  }

  signal(signal: 'SIGHUP' | 'SIGUSR1'): void {
    this.child!.kill(signal)
  }

  private get errorLog(): string {
    return join(this.settings.folder, 'spool/error.log')
  }

  errors(): string {
    return existsSync(this.errorLog) ? readFileSync(this.errorLog, 'utf8') : ''
  }

  /** The logged rows, complete lines only. */
  rows(): RequestRow[] {
    return this.lines('spool/requests.log').map((line) => {
      const row = rowOfLine(line)
      if (!row) throw new Error(`not a row: ${line}`)
      return row
    })
  }

  counters(): CounterRow[] {
    return this.lines('spool/counters.log').map((line) => JSON.parse(line) as CounterRow)
  }

  /** The bans that nginx began. */
  begunBans(): BegunBan[] {
    return this.lines('spool/bans.log').map((line) => JSON.parse(line) as BegunBan)
  }

  private lines(name: string): string[] {
    const path = join(this.settings.folder, name)
    if (!existsSync(path)) return []
    const text = readFileSync(path, 'utf8')
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)
  }

  /** Sends a request to nginx over the control socket. */
  async control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await send({
      socketPath: join(this.settings.folder, 'run/control.sock'),
      method,
      path,
      headers: { host: 'control', ...(body !== undefined && { 'content-type': 'application/json' }) },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return JSON.parse(reply.text) as T
  }

  state(): Promise<NginxState> {
    return this.control('GET', '/state')
  }

  /** A visitor's request, to the HTTP port unless `tls` is set. */
  request(host: string, path: string, options: Visit = {}): Promise<Reply> {
    const { tls, headers, ...rest } = options
    return send({
      port: tls ? this.settings.httpsPort : this.settings.httpPort,
      tls: tls === true ? host : tls,
      method: 'GET',
      path,
      headers: { host, ...headers },
      ...rest,
    })
  }
}

export type Visit = {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  /** True, or a different SNI for the handshake. */
  tls?: boolean | string
  localAddress?: string
}

/** A default certificate like the agent's, created once for all test files, which run concurrently. */
function certificate(folder: string): void {
  const cached = join(tmpdir(), 'bw-test-certificate.pem')
  if (!existsSync(cached)) {
    // In one file that is moved into place: no reader gets a key and a certificate that do not match.
    const made = join(folder, 'default.pem')
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '3650']
    const files = ['-subj', '/CN=default', '-keyout', made, '-out', made]
    execFileSync('openssl', ['req', '-x509', ...kind, ...files], { stdio: 'ignore' })
    renameSync(made, cached)
  }
  const text = readFileSync(cached, 'utf8')
  const begin = text.indexOf('-----BEGIN CERTIFICATE')
  writeFileSync(join(folder, 'default.key'), text.slice(0, begin))
  writeFileSync(join(folder, 'default.crt'), text.slice(begin))
}
