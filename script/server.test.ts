import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../tests/harness/ports.ts'

/** A short path below /tmp that nginx's workers can access. */
const dataFolder = mkdtempSync(join(tmpdir(), 'bw-'))
chmodSync(dataFolder, 0o755)
const children: ChildProcess[] = []

afterAll(async () => {
  // Stop them gracefully, so that a failed test leaves nothing running either.
  await Promise.all(
    children.map((child) => {
      if (child.exitCode !== null || child.signalCode !== null || !child.kill('SIGTERM')) return undefined
      return once(child, 'exit')
    }),
  )
  rmSync(dataFolder, { recursive: true, force: true })
})

function start(environment: Record<string, string> = {}, ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server.ts'), ...args], {
    env: { ...process.env, BREAKWATER_DATA: dataFolder, BREAKWATER_FIRST_PASSWORD: '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(child)
  const run = { child, output: '', ended: undefined as number | string | undefined }
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      run.output += chunk
    })
  }
  child.once('close', (code, signal) => {
    run.ended = signal ?? code ?? 0
  })
  return run
}

/** Command lines of the processes that still run in or for the data folder, whoever started them. */
function processesOf(folder: string): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      const mine = line.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
      return mine && Number(pid) ? [line] : []
    } catch {
      return []
    }
  })
}

/** Addresses that have a listener on a port, as the kernel writes them: 127.0.0.1 is 0100007F. */
function listenersOn(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  return ['tcp', 'tcp6'].flatMap((family) =>
    [...readFileSync(`/proc/net/${family}`, 'utf8').matchAll(/^\s*\d+: ([0-9A-F]+):([0-9A-F]{4}) \S+ 0A/gm)].flatMap(
      ([, address = '', at]) => (at === wanted ? [address] : []),
    ),
  )
}

test('the help lists every variable and exits', async () => {
  const run = start({}, '--help')
  await vi.waitUntil(() => run.ended !== undefined)
  expect(run.ended).toBe(0)
  for (const name of ['BREAKWATER_DATA', 'PORT', 'EDGE_HTTPS_PORT', 'DATABASE_URL', '--demo'])
    expect(run.output).toContain(name)
})

test('a requested port that is taken aborts the start with its name, before anything is created', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const run = start({ NODE_PORT: String(port) })
  await vi.waitUntil(() => run.ended !== undefined)
  server.close()
  expect(run.ended).toBe(1)
  expect(run.output).toContain(`NODE_PORT=${port} is taken`)
  expect(readdirSync(dataFolder)).not.toContain('postgres')
})

test('the first start in a terminal asks for the DNS zone of the edge, before anything is started', async () => {
  const own = join(dataFolder, 'asked')
  mkdirSync(own)
  // A taken port aborts the start after the question.
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const command = `${process.execPath} ${join(import.meta.dirname, 'server.ts')}`
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...process.env, BREAKWATER_DATA: own, BREAKWATER_EDGE_DOMAIN: '', NODE_PORT: String(port) },
  })
  children.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
  })
  await vi.waitUntil(() => said.includes('DNS zone of the edge'))
  child.stdin.write('edge.example.com\n')
  await once(child, 'close')
  server.close()
  expect(said).toContain(`NODE_PORT=${port} is taken`)
  expect(readFileSync(join(own, 'edge-domain'), 'utf8')).toBe('edge.example.com\n')
})

test('what a killed run left continues under the next one, is stopped by one with other settings, and Ctrl-C stops everything in reverse order', async () => {
  const ports: Record<string, string> = {}
  for (const name of ['PORT', 'NODE_PORT', 'EDGE_HTTP_PORT', 'EDGE_HTTPS_PORT']) ports[name] = String(await freePort())
  const runs = (output: string) => [...output.matchAll(/(\w+) runs \(process (\d+)\)/g)].map(([, ...facts]) => facts)
  const serves = async (run: ReturnType<typeof start>) => {
    await vi.waitUntil(() => run.output.includes('Ctrl-C') || run.ended !== undefined, { timeout: 180_000 })
    return run
  }
  const crash = async ({ child }: ReturnType<typeof start>) => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const first = await serves(start(ports))
  expect(first.output, 'the first start').toContain('shown only this once')
  expect(first.output, 'the console without TLS').toContain(`ssh -L ${ports.PORT}:localhost:${ports.PORT}`)
  expect(listenersOn(Number(ports.PORT)), 'the addresses that the console listens on').toEqual(['0100007F'])
  await crash(first)

  const next = await serves(start(ports))
  expect(runs(next.output).sort()).toEqual(runs(first.output).sort())
  expect(next.output).not.toContain('First accounts')
  await crash(next)

  const second = await serves(start({ ...ports, BREAKWATER_LOG_LEVEL: 'warn' }))
  expect(second.output).toMatch(/stopped what an earlier run left: .*nginx/)
  second.child.kill('SIGINT')
  await vi.waitUntil(() => second.ended !== undefined)
  expect(second.ended).toBe(0)
  const stopped = [...second.output.matchAll(/(\w+) stopped$/gm)].map((match) => match[1])
  expect(stopped.slice(0, 1).concat(stopped.slice(-3, -2))).toEqual(['lab', 'api'])
  expect(stopped.slice(-2).sort()).toEqual(['clickhouse', 'postgres'])
  expect(processesOf(dataFolder)).toEqual([])
})
