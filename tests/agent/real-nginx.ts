/** A real nginx beside the real agent: started, killed, and visited as a browser would. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { Agent, get, type IncomingHttpHeaders } from 'node:http'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type TestNode, until } from './node.ts'
import type { Plane } from './plane.ts'

const edge = resolve(import.meta.dirname, '../../edge')
const compiler = createRequire(join(edge, 'package.json')).resolve('typescript-to-lua/dist/tstl.js')

export type Visit = { status: number; headers: IncomingHttpHeaders; text: string }

/** Compiles the request path where its sources are newer than what was compiled. */
export function buildRequestPath(): void {
  const newest = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((time, { parentPath, name }) => Math.max(time, statSync(join(parentPath, name)).mtimeMs), 0)
  const built = join(edge, 'lua')
  if (existsSync(join(built, 'edge')) && newest(built) > newest(join(edge, 'src/request'))) return
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.lua.json'], { cwd: edge })
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

export class RealNginx {
  readonly ports: { EDGE_HTTP_PORT: string; EDGE_HTTPS_PORT: string }
  private readonly node: TestNode
  private readonly plane: Plane
  private child: ChildProcess | undefined
  private readonly agent = new Agent({ keepAlive: false })

  private constructor(plane: Plane, node: TestNode, http: number, https: number) {
    this.plane = plane
    this.node = node
    this.ports = { EDGE_HTTP_PORT: String(http), EDGE_HTTPS_PORT: String(https) }
  }

  /** Renders the node's folder; nothing runs yet. */
  static async prepare(plane: Plane, node: TestNode): Promise<RealNginx> {
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

  /** Ends it; SIGKILL takes the workers at once as well. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { child } = this
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise((done) => child.once('exit', done))
    const workers = this.workers()
    child.kill(signal)
    if (signal === 'SIGKILL') for (const pid of workers) process.kill(pid, signal)
    await gone
  }

  workers(): number[] {
    const pid = this.child?.pid
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    return text === '' ? [] : text.split(' ').map(Number)
  }

  /** Starts the agent, enrols it, and waits until nginx knows who it is. */
  async enrol(env: Record<string, string> = {}): Promise<void> {
    this.node.start({ ...this.ports, ...env, BREAKWATER_ENROL_TOKEN: this.plane.token() })
    await until('the reload', () => this.node.output.includes('nginx reads its new configuration'))
    // Workers from before the reload finish what they have; their rows are nobody's.
    await sleep(500)
  }

  visit(host: string, path = '/', headers: Record<string, string> = {}): Promise<Visit | undefined> {
    return new Promise((done) => {
      const options = { host: '127.0.0.1', port: this.ports.EDGE_HTTP_PORT, agent: this.agent }
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
    const end = Date.now() + 15_000
    while ((await this.visit(host))?.text !== body) {
      if (Date.now() > end) throw new Error(`${host} is not served: ${JSON.stringify(await this.visit(host))}`)
    }
  }
}
