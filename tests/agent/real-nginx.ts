/** A real nginx next to the real agent: started, killed, and visited as a browser would. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../../edge/box/client.ts'
import { markOf } from '../../edge/src/nginx/render.ts'
import { freePort } from '../harness/ports.ts'
import { until as untilTrue } from '../harness/until.ts'
import type { FakeControlPlane } from './control-plane.ts'
import { type TestNode, until } from './node.ts'

export type Visit = { status: number; headers: IncomingHttpHeaders; text: string }

export class RealNginx {
  readonly ports: { EDGE_HTTP_PORT: string; EDGE_HTTPS_PORT: string }
  private readonly node: TestNode
  private readonly plane: FakeControlPlane
  private child: ChildProcess | undefined
  private readonly agent = new Agent({ keepAlive: false })

  private constructor(plane: FakeControlPlane, node: TestNode, http: number, https: number) {
    this.plane = plane
    this.node = node
    this.ports = { EDGE_HTTP_PORT: String(http), EDGE_HTTPS_PORT: String(https) }
  }

  /** Renders the node's folder; nothing is started yet. */
  static async prepare(plane: FakeControlPlane, node: TestNode): Promise<RealNginx> {
    const nginx = new RealNginx(plane, node, await freePort(), await freePort())
    node.start(nginx.ports, 'render')
    if ((await node.ended()) !== 0) throw new Error(`render failed: ${node.output}`)
    return nginx
  }

  start(): void {
    const { folder, within } = this.node
    const nginx = ['nginx', '-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr']
    const [program = '', ...args] = [...within, ...nginx]
    this.child = spawn(program, args, { stdio: 'inherit' })
  }

  /** Stops nginx; SIGKILL kills the workers at once as well. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    const workers = this.workers()
    // If a test has stopped it (SIGSTOP), it would not receive the other signal.
    child.kill('SIGCONT')
    child.kill(signal)
    if (signal === 'SIGKILL') for (const pid of workers) process.kill(pid, signal)
    await gone
  }

  /** Signals only the master. */
  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal)
  }

  workers(): number[] {
    const pid = this.child?.pid
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  }

  /**
   * The serving workers, once those of the previous configuration have exited: neither they nor nginx's helper
   * processes are counted.
   */
  settledWorkers(): Promise<number[]> {
    const conf = readFileSync(join(this.node.folder, 'nginx.conf'), 'utf8')
    const wanted = Number(/^worker_processes (\d+);/m.exec(conf)?.[1])
    return until('only workers of this configuration', () => {
      const found = this.workers().flatMap((pid) => (titleOf(pid).includes('worker process') ? [pid] : []))
      return found.length === wanted && found
    })
  }

  /** Starts the agent, enrols it, and waits until nginx knows its identity. */
  async enrol(env: Record<string, string> = {}): Promise<void> {
    this.node.start({ ...this.ports, ...env, BREAKWATER_ENROL_TOKEN: this.plane.token() })
    await until('the reload', () => this.node.output.includes('nginx reads its new configuration'))
    // Workers from before the reload finish their requests; the rows of those belong to no node.
    if (this.node.within.length > 0) return await sleep(500)
    await untilTrue('nginx with its new configuration', () => this.hasItsConfiguration())
    await this.settledWorkers()
  }

  /** Whether a worker that runs with the current nginx.conf answers. */
  private async hasItsConfiguration(): Promise<boolean> {
    const socketPath = join(this.node.folder, 'run/control.sock')
    const { text } = await send({ socketPath, method: 'GET', path: '/state', headers: { host: 'control' } })
    return JSON.parse(text).conf === markOf(readFileSync(join(this.node.folder, 'nginx.conf'), 'utf8'))
  }

  visit(
    host: string,
    path = '/',
    headers: Record<string, string> = {},
    port: number | string = this.ports.EDGE_HTTP_PORT,
  ): Promise<Visit | undefined> {
    return new Promise((done) => {
      const options = { host: '127.0.0.1', port, agent: this.agent }
      get({ ...options, path, headers: { ...headers, host } }, (message) => {
        let text = ''
        message.on('data', (chunk: Buffer) => {
          text += chunk.toString()
        })
        message.on('end', () => done({ status: message.statusCode ?? 0, headers: message.headers, text }))
      }).on('error', () => done(undefined))
    })
  }

  async untilServed(host: string, body = 'from the origin'): Promise<void> {
    const end = Date.now() + 60_000
    while ((await this.visit(host))?.text !== body) {
      if (Date.now() > end) throw new Error(`${host} is not served: ${JSON.stringify(await this.visit(host))}`)
    }
  }
}

/** The title of a process; '' once it has exited. */
function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    // It has exited since it was listed.
    return ''
  }
}
