/**
 * A second machine, simulated with its own folders and ports: runs the installer's command as it is shown to the
 * operator.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './ports.ts'

export type Machine = {
  folder: string
  edgePort: number
  /** Runs an install command here; returns its exit code and its output. */
  install: (command: string, environment?: Record<string, string>) => Promise<{ code: number; said: string }>
  /** Starts what was installed, as a container would. */
  start: () => RunningNode
  close: () => Promise<void>
}

export type RunningNode = {
  said: () => string
  ended: () => boolean
  /** Stops it with a signal and waits until it is gone; SIGTERM stops it gracefully. */
  stop: (signal?: NodeJS.Signals) => Promise<void>
}

export async function newMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-machine-'))
  const [edgePort, edgeHttpsPort] = (await freePorts(2)) as [number, number]
  const env = {
    PATH: process.env.PATH,
    BREAKWATER_NODE_PREFIX: join(folder, 'opt'),
    BREAKWATER_NODE_DATA: join(folder, 'data'),
    BREAKWATER_NODE_CONFIG: join(folder, 'etc'),
    BREAKWATER_NODE_SERVICE: 'none',
    // A test does not upgrade the machine that it runs on.
    BREAKWATER_ALLOW_UNPATCHED: 'yes',
    EDGE_HTTP_PORT: String(edgePort),
    EDGE_HTTPS_PORT: String(edgeHttpsPort),
  }
  // nginx's workers access it as a user of their own, as they access /var/lib.
  await new Promise<void>((done) => execFile('chmod', ['755', folder], () => done()))
  const running = new Set<RunningNode>()
  return {
    folder,
    edgePort,
    install: (command, environment = {}) =>
      new Promise((resolve) => {
        // sudo would drop this test's environment variables; a root shell does not need it anyway.
        const line = command.replace('$(command -v sudo) bash', 'bash')
        execFile('bash', ['-c', line], { env: { ...env, ...environment }, timeout: 240_000 }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? 1) : 0, said: `${stdout}${stderr}` }),
        )
      }),
    start() {
      const node = startNode(join(folder, 'opt/breakwater-node'), join(folder, 'etc/node.env'))
      running.add(node)
      return node
    },
    async close() {
      for (const node of running) await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function startNode(program: string, settings: string): RunningNode {
  const child = spawn(program, ['run', settings], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  const collect = (chunk: Buffer) => {
    said += chunk
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  let over = false
  const closed = new Promise<void>((done) => {
    child.once('close', () => {
      over = true
      done()
    })
  })
  return {
    said: () => said,
    ended: () => over,
    async stop(signal = 'SIGTERM') {
      if (!over) child.kill(signal)
      await closed
    },
  }
}
