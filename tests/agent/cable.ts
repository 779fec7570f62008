/**
 * Two network namespaces connected by a veth pair: the node's, with a real packet filter, and the visitors'. Requires
 * root.
 */
import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const has = (program: string, argument: string) => spawnSync(program, [argument], { stdio: 'ignore' }).status === 0

/** Why such namespaces are not possible here; undefined if they are. */
export function lacksNetworks(): string | undefined {
  if (process.getuid?.() !== 0) return 'it takes root'
  if (!has('nft', '--version')) return 'nftables is not installed'
  if (!has('ip', '-V')) return 'iproute2 is not installed'
  return spawnSync('unshare', ['-n', 'nft', 'add', 'table', 'inet', 'tried']).status === 0
    ? undefined
    : 'nft may do nothing here'
}

export class Cable {
  /** A folder for the PATH of an agent: its `nft` runs in the node's namespace. */
  readonly programs = mkdtempSync(join(tmpdir(), 'bw-nft-'))
  private readonly ends: ChildProcess[] = []
  private readonly listeners: ChildProcess[] = []

  /** `node` and `visitors` are addresses with prefix lengths. */
  constructor(node: readonly string[], visitors: readonly string[]) {
    const names = ['node', 'visitors']
    for (const _ of names) this.ends.push(spawn('unshare', ['-n', 'sleep', 'infinity'], { stdio: 'ignore' }))
    const [first, second] = this.ends.map(({ pid }) => String(pid)) as [string, string]
    // A forked process still shares the old namespace for an instant.
    for (const pid of [first, second]) while (!isApart(pid)) execFileSync('true')
    const link = ['link', 'add', 'node', 'netns', first, 'type', 'veth', 'peer', 'name', 'visitors', 'netns', second]
    execFileSync('ip', link)
    for (const [end, addresses] of [node, visitors].entries()) {
      const name = names[end]!
      for (const address of addresses)
        this.sync(end, 'ip', 'address', 'add', address, 'dev', name, ...(address.includes(':') ? ['nodad'] : []))
      for (const device of [name, 'lo']) this.sync(end, 'ip', 'link', 'set', device, 'up')
    }
    writeFileSync(join(this.programs, 'nft'), `#!/bin/sh\nexec nsenter -t ${first} -n /usr/sbin/nft "$@"\n`, {
      mode: 0o755,
    })
  }

  private sync(end: number, ...command: string[]): string {
    return execFileSync('nsenter', ['-t', String(this.ends[end]?.pid), '-n', ...command], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  }

  /** Output of a command run in the node's namespace. */
  atNode(...command: string[]): string {
    return this.sync(0, ...command)
  }

  /** Answers on these ports in the node's namespace. */
  async listen(...ports: number[]): Promise<void> {
    const script = `let n = ${ports.length}; for (const port of ${JSON.stringify(ports)}) require('net').createServer((s) => s.on('error', () => {}).end('here')).listen(port, '::', () => --n || console.log('all'))`
    const child = spawn('nsenter', ['-t', String(this.ends[0]?.pid), '-n', process.execPath, '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.listeners.push(child)
    await new Promise((done) => child.stdout?.once('data', done))
  }

  /** Whether a visitor from this address can connect to the node's. */
  reaches(from: string, to: string, port: number): Promise<boolean> {
    const script = `const s = require('net').connect({ localAddress: '${from}', host: '${to}', port: ${port}, timeout: 700 }); s.on('data', () => process.exit(0)); s.on('timeout', () => process.exit(1)); s.on('error', () => process.exit(1))`
    return new Promise((done) => {
      const args = ['-t', String(this.ends[1]?.pid), '-n', process.execPath, '-e', script]
      execFile('nsenter', args, (error) => done(error === null))
    })
  }

  remove(): void {
    for (const child of [...this.listeners, ...this.ends]) child.kill('SIGKILL')
    rmSync(this.programs, { recursive: true, force: true })
  }
}

function isApart(pid: string): boolean {
  const network = (of: string) => execFileSync('readlink', [`/proc/${of}/ns/net`], { encoding: 'utf8' })
  return network(pid) !== network('self')
}
