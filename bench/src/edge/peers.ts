/** Other caches from Debian that the edge is compared with, each with one log line per request in a file. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../edge/box/harness.ts'
import { freePort } from '../../../tests/harness/ports.ts'

export type Peer = { folder: string; port: number; pids(): number[]; end(): Promise<void> }

/** Whether a program is installed. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '')
    .split(':')
    .concat('/usr/sbin')
    .some((folder) => folder !== '' && hasFile(folder, program))

function hasFile(folder: string, name: string): boolean {
  try {
    return readdirSync(folder).includes(name)
  } catch {
    // A directory in PATH need not exist.
    return false
  }
}

/** A process and all its descendants. */
function withChildren(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return [pid, ...(children === '' ? [] : children.split(' ').map(Number).flatMap(withChildren))]
}

async function started(folder: string, port: number, programs: ChildProcess[]): Promise<Peer> {
  await until(`what listens at ${port}`, () =>
    fetch(`http://127.0.0.1:${port}/1k`).then(
      () => true,
      () => false,
    ),
  )
  return {
    folder,
    port,
    pids: () => programs.flatMap(({ pid }) => withChildren(pid!)),
    async end() {
      for (const child of programs.toReversed()) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const newFolder = () => mkdtempSync(join(tmpdir(), 'breakwater-bench-'))

/** Varnish, caching in memory, and its program that writes the log. */
export async function startVarnish(originPort: number): Promise<Peer> {
  const [folder, port] = [newFolder(), await freePort()]
  const [file, work] = [join(folder, 'bench.vcl'), join(folder, 'work')]
  mkdirSync(work)
  writeFileSync(
    file,
    `vcl 4.1;
backend origin { .host = "127.0.0.1"; .port = "${originPort}"; }
sub vcl_deliver {
  if (obj.hits > 0) { set resp.http.X-Cache = "HIT"; } else { set resp.http.X-Cache = "MISS"; }
}
`,
  )
  const options = ['-F', '-j', 'none', '-n', work, '-f', file, '-a', `127.0.0.1:${port}`, '-s', 'malloc,256m']
  // varnishd reports each of its steps on stdio.
  const cache = spawn('varnishd', options, { stdio: 'ignore' })
  await started(folder, port, [cache])
  const log = spawn('varnishncsa', ['-n', work, '-w', join(folder, 'access.log')], { stdio: 'inherit' })
  return started(folder, port, [cache, log])
}

/** HAProxy with its cache and one thread; its log lines are written one by one. */
export async function startHaproxy(originPort: number): Promise<Peer> {
  const [folder, port] = [newFolder(), await freePort()]
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(
    file,
    `global
  nbthread 1
  log stdout format raw local0
defaults
  mode http
  log global
  option httplog
  timeout connect 5s
  timeout client 60s
  timeout server 60s
cache objects
  total-max-size 256
  max-object-size 200000
  max-age 3600
frontend web
  bind 127.0.0.1:${port}
  default_backend origin
backend origin
  http-request cache-use objects
  http-response cache-store objects
  http-response set-header X-Cache HIT if { res.cache_hit }
  http-response set-header X-Cache MISS if !{ res.cache_hit }
  server one 127.0.0.1:${originPort}
`,
  )
  const log = openSync(join(folder, 'access.log'), 'w')
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log, 'inherit'] })
  return started(folder, port, [child])
}
