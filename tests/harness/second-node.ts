/** A second machine, played by folders and ports of its own: the installer's command run as it is shown to the operator. */
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePorts } from './ports.ts'

export type Machine = {
  folder: string
  edgePort: number
  /** Runs an install command here; answers how it ended and what it said. */
  install: (command: string, environment?: Record<string, string>) => Promise<{ code: number; said: string }>
  /** Starts what was installed, as a container would. */
  start: () => RunningNode
  close: () => Promise<void>
}

export type RunningNode = {
  said: () => string
  ended: () => boolean
  /** Ends it with a signal and waits until it is gone; SIGTERM lets it end in order. */
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
  // Workers of nginx enter as a user of their own, as they enter /var/lib.
  await new Promise<void>((done) => execFile('chmod', ['755', folder], () => done()))
  const running = new Set<RunningNode>()
  return {
    folder,
    edgePort,
    install: (command, environment = {}) =>
      new Promise((resolve) => {
        // sudo would drop the folders of this test; a root's shell has none anyway.
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
