/** The whole product as a person starts it: `script/server` in its own folder, on free ports. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expectNoCrash } from './crashes.ts'
import { freePorts } from './ports.ts'
import { Hopeless, until } from './until.ts'

const root = resolve(import.meta.dirname, '../..')
export const productPassword = 'correct-horse-7'

export type Product = {
  /** The console and the API. */
  url: string
  /** The edge's HTTP listener. */
  edgeUrl: string
  edgePort: number
  edgeHttpsPort: number
  nodePort: number
  dataFolder: string
  /** The environment it was started with. */
  environment: NodeJS.ProcessEnv
  accounts: { vendor: string; operator: string; customer: string; password: string }
  /** Everything that the supervisor printed. */
  output: () => string
  /** PID of the newest process of a part, by the supervisor's name for it: `api`, `postgres`, `nginx`… */
  pid: (part: string) => number
  /** Kills the supervisor. What it had started stops or continues, as after a crash. */
  crash: () => Promise<void>
  /** Starts it again with the same folder and ports, and waits until all of it serves. */
  start: () => Promise<void>
  /** Asks it to stop, as Ctrl-C does, and does not wait. */
  interrupt: () => void
  /** Stops it and removes its folder. Fails if nginx crashed meanwhile. */
  stop: () => Promise<void>
}

/**
 * Starts it and waits until all of it serves. Environment variables can be added or overridden; `tree` is another copy
 * of the sources.
 */
export async function startProduct(environment: Record<string, string> = {}, tree = root): Promise<Product> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-product-'))
  const [port, nodePort, anyEdgePort, edgeHttpsPort] = (await freePorts(4)) as [number, number, number, number]
  const edgePort = Number(environment.EDGE_HTTP_PORT ?? anyEdgePort)
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk
  }
  let ended: number | string | null | undefined
  let exited: Promise<void>
  let child: ChildProcess
  let printed = 0
  const env = {
    ...process.env,
    BREAKWATER_DATA: dataFolder,
    PORT: String(port),
    NODE_PORT: String(nodePort),
    EDGE_HTTP_PORT: String(edgePort),
    // Leaves the firewall of the machine that runs the tests alone.
    BREAKWATER_KERNEL_BANS: 'no',
    EDGE_HTTPS_PORT: String(edgeHttpsPort),
    BREAKWATER_FIRST_PASSWORD: productPassword,
    BREAKWATER_ALLOW_ORIGINS: '127.0.0.0/8',
    // A test does not upgrade the machine that it runs on.
    BREAKWATER_ALLOW_UNPATCHED: 'yes',
    // The compile cache of a copy is never used again: it stays with the copy's data.
    ...(tree === root ? {} : { NODE_COMPILE_CACHE: undefined }),
    ...environment,
  }
  const launch = () => {
    ended = undefined
    printed = output.length
    child = spawn(join(tree, 'script/server'), {
      cwd: tree,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout?.on('data', collect)
    child.stderr?.on('data', collect)
    exited = new Promise<void>((done) => {
      child.once('exit', (code, signal) => {
        ended = code ?? signal
        done()
      })
    })
  }
  const url = `http://127.0.0.1:${port}`
  const serves = () =>
    until(
      'the product to serve',
      async () => {
        if (ended !== undefined) throw new Hopeless(`script/server ended with ${ended}`)
        // Processes of an earlier run may serve all the time: this run must have taken them over.
        return (
          output.includes('Breakwater serves', printed) &&
          (await fetch(`${url}/health`)).ok &&
          (await fetch(`http://127.0.0.1:${edgePort}/`).then(() => true, isAnswer))
        )
      },
      290_000,
    )
  const stop = async () => {
    if (ended === undefined) child.kill('SIGTERM')
    await exited
    try {
      expectNoCrash(join(dataFolder, 'node/spool/error.log'))
    } finally {
      rmSync(dataFolder, { recursive: true, force: true })
    }
  }
  launch()
  try {
    await serves()
  } catch (error) {
    const logs = output.slice(-4000)
    await stop()
    throw new Error(`${(error as Error).message}\n${logs}`, { cause: error })
  }
  return {
    url,
    edgeUrl: `http://127.0.0.1:${edgePort}`,
    edgePort,
    edgeHttpsPort,
    nodePort,
    dataFolder,
    environment: env,
    accounts: { vendor: 'vendor', operator: 'operator', customer: 'customer', password: productPassword },
    output: () => output,
    pid: (part) =>
      Number([...output.matchAll(new RegExp(`(?<![\\w-])${part} runs \\(process (\\d+)\\)`, 'g'))].at(-1)?.[1]),
    interrupt: () => void child.kill('SIGINT'),
    async crash() {
      child.kill('SIGKILL')
      await exited
    },
    async start() {
      launch()
      await serves()
    },
    stop,
  }
}

/** An edge closes the connection for an unknown host: that is an answer, a refused connection is not. */
const isAnswer = (error: unknown): boolean => !/ECONNREFUSED/.test(String((error as { cause?: unknown }).cause))

/** The PIDs of a product's nginx workers, to check that a setting causes no reload. */
export function nginxWorkers(dataFolder: string): string {
  const master = readFileSync(join(dataFolder, 'node/run/nginx.pid'), 'utf8').trim()
  return readFileSync(`/proc/${master}/task/${master}/children`, 'utf8').trim()
}
