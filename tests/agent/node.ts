/** A node for tests: the real agent as a process, and a stub that answers on nginx's control socket. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import { type FeedEntry, latencySteps } from '@breakwater/contract/edge/node-api.ts'
import type { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import type { FakeControlPlane } from './control-plane.ts'

const main = resolve(import.meta.dirname, '../../edge/src/agent/main.ts')

/** Waits for a condition; if it does not come true, throws an error that names it. */
export async function until<T>(what: string, condition: () => T | undefined | false, ms = 60_000): Promise<T> {
  const end = Date.now() + ms
  for (;;) {
    const value = condition()
    if (value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`did not come in ${ms} ms: ${what}`)
    await sleep(10)
  }
}

/** Answers on the control socket where no nginx is needed. */
export class Control {
  readonly sites = new Map<number, FeedEntry>()
  readonly purges: PurgeRecord[] = []
  readonly bans: BanChange[] = []
  readonly weights: number[] = []
  readonly reputations: string[] = []
  readonly refuse = new Map<number, string>()
  /** Sites that make nginx fail the whole call. */
  readonly fail = new Set<number>()
  applied = 0
  private readonly path: string
  private readonly server: Server

  constructor(path: string) {
    this.path = path
    this.server = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const reply = this.answer(request.url ?? '', Buffer.concat(chunks).toString('utf8'))
      response.writeHead(reply === undefined ? 500 : 200).end(JSON.stringify(reply ?? {}))
    })
  }

  async start() {
    mkdirSync(dirname(this.path), { recursive: true })
    rmSync(this.path, { force: true })
    await new Promise<void>((done) => this.server.listen(this.path, done))
  }

  async stop() {
    const closed = new Promise((done) => this.server.close(done))
    this.server.closeAllConnections()
    await closed
  }

  private answer(url: string, text: string): unknown {
    if (url === '/apply') return this.apply((JSON.parse(text) as { entries: FeedEntry[] }).entries)
    if (url === '/purge') this.purges.push(...(JSON.parse(text) as { purges: PurgeRecord[] }).purges)
    if (url === '/bans') this.bans.push(...(JSON.parse(text) as { bans: BanChange[] }).bans)
    if (url === '/reputation') this.reputations.push((JSON.parse(text) as { hash: string }).hash)
    if (url === '/sampling') this.weights.push((JSON.parse(text) as { weight: number }).weight)
    if (url !== '/state') return {}
    const vitals = { requests: 0, failures: 0, errors: 0, crashes: 0, latency: latencySteps.map(() => 0).concat(0) }
    const empty = { hosts: 0, sequence: 0, workers: [], requests: 0, connections: 0, dictionaries: {} }
    return { sites: this.sites.size, ...empty, vitals }
  }

  private apply(entries: FeedEntry[]) {
    if (entries.some(({ site }) => this.fail.has(site))) return undefined
    this.applied += entries.length
    const refused = entries.filter(({ site, artefact }) => artefact !== null && this.refuse.has(site))
    for (const entry of entries) {
      if (refused.includes(entry)) continue
      if (entry.artefact === null) this.sites.delete(entry.site)
      else this.sites.set(entry.site, entry)
    }
    return { refused: refused.map(({ site, revision }) => ({ site, revision, reason: this.refuse.get(site) ?? '' })) }
  }
}

export class TestNode {
  readonly folder: string
  readonly control: Control
  output = ''
  child: ChildProcess | undefined

  private readonly plane: FakeControlPlane

  /** Prefix for every command of the node, if it runs in its own namespaces. */
  readonly within: string[]

  constructor(plane: FakeControlPlane, folder = mkdtempSync(join(tmpdir(), 'bw-node-')), within: string[] = []) {
    this.plane = plane
    this.folder = folder
    this.within = within
    this.control = new Control(join(folder, 'run/control.sock'))
  }

  /** Runs the agent; `word` is its subcommand. */
  start(env: Record<string, string> = {}, word?: string): ChildProcess {
    const [program = '', ...args] = [...this.within, process.execPath, main, ...(word ? [word] : [])]
    const child = spawn(program, args, {
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        BREAKWATER_NODE_DATA: this.folder,
        BREAKWATER_SERVER: this.plane.url,
        BREAKWATER_SERVER_CA: this.plane.authority.file,
        EDGE_HTTP_PORT: '18080',
        EDGE_HTTPS_PORT: '18443',
        // Leaves the firewall of the machine that runs the tests alone.
        BREAKWATER_KERNEL_BANS: 'no',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8')
    })
    child.stderr.on('data', (chunk: Buffer) => {
      this.output += chunk.toString('utf8')
    })
    this.child = child
    return child
  }

  /** Kills the agent as a power cut would. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | null> {
    const child = this.child
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
    const gone = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
    child.kill(signal)
    return await gone
  }

  /** The agent's exit code, once it has exited by itself. */
  async ended(): Promise<number | null> {
    await until('the agent ends', () => this.child?.exitCode !== null)
    return this.child?.exitCode ?? null
  }

  async remove(): Promise<void> {
    await this.kill()
    await this.control.stop()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
