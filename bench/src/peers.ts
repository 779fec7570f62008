/**
 * What a cached object costs the edge with one site, without rules and with 50 rate rules that are all tried, compared
 * with the same nginx that writes and logs with the same settings, and with Varnish and HAProxy with their caches, if
 * they are installed. 1 KB, 1 KB with one connection per request, 100 KB; CPU of all processes of each side, rounds in
 * random order, every round asserted to be free of errors and to start with a HIT.
 * Run: `node bench/src/peers.ts [rounds] [seconds] [core]`; for 100 KB in a network namespace of its own, as for
 * `edge.ts`. With a core given, everything runs on it, including the load generator: a slower server finds the
 * generator asleep more often, and in a virtual machine waking another core costs microseconds that are not the
 * server's.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Box } from '../../edge/box/harness.ts'
import { type Load, type Measured, measure, middle } from './edge/load.ts'
import { besideEachOther } from './edge/paired.ts'
import { isInstalled, type Peer, startHaproxy, startVarnish } from './edge/peers.ts'
import { PlainNginx } from './edge/plain.ts'
import { watchMachine } from './edge/processes.ts'
import { workersOf } from './edge/workers.ts'

const [rounds, seconds] = [process.argv[2] ?? 7, process.argv[3] ?? 2].map(Number) as [number, number]
const core = process.argv[4]
const bodies = { '/1k': Buffer.alloc(1024, 'a'), '/100k': Buffer.alloc(102_400, 'b') }
type Path = keyof typeof bodies

await using ends = new AsyncDisposableStack()
const origin = createServer((asked, reply) =>
  reply
    .writeHead(200, { 'content-type': 'text/css', 'cache-control': 'public, max-age=86400' })
    .end(bodies[asked.url as Path] ?? bodies['/1k']),
)
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
ends.defer(() => void origin.close())
const { port: originPort } = origin.address() as AddressInfo

const rateRules = Array.from({ length: 50 }, (_, n) => ({
  ...{ id: 100 + n, urlRegex: `^/[a-z0-9]+/section-${n}/[a-z0-9-]+\\.(php|aspx?)$` },
  ...{ rate: 50, burst: 100, blockType: 1, mode: 'enforce' as const },
}))
const box = await Box.start({ workers: 1 }, (disk) => {
  const site = (id: number, host: string, firewall: object) =>
    disk.site({ site: id, hosts: [host], origins: [{ port: originPort }], cache: [], firewall })
  disk.feed(site(1, 'bare.test', {}))
  disk.feed(site(2, 'rules.test', { rateRules }))
})
ends.defer(() => box.end())
const plain = await PlainNginx.start(originPort, 'edge')
ends.defer(() => plain.end())
async function peerOf(program: string, start: (origin: number) => Promise<Peer>): Promise<Peer | undefined> {
  if (!isInstalled(program)) {
    console.log(`${program} is not installed`)
    return undefined
  }
  const peer = await start(originPort)
  ends.defer(() => peer.end())
  return peer
}
const varnish = await peerOf('varnishd', startVarnish)
const haproxy = await peerOf('haproxy', startHaproxy)

const workers = workersOf(Number(readFileSync(`${box.settings.folder}/run/nginx.pid`, 'utf8')))
const edge = { port: box.settings.httpPort, pids: workers, folder: box.settings.folder }
type Side = Pick<Load, 'port' | 'pids' | 'folder'> & { host: string }
const sides: Record<string, Side> = {
  nginx: { port: plain.port, pids: plain.workers(), folder: plain.folder, host: 'rules.test' },
  edge: { ...edge, host: 'bare.test' },
  'edge, 50 rules': { ...edge, host: 'rules.test' },
  ...(varnish && { varnish: { ...varnish, pids: varnish.pids(), host: 'rules.test' } }),
  ...(haproxy && { haproxy: { ...haproxy, pids: haproxy.pids(), host: 'rules.test' } }),
}

if (core !== undefined) {
  const all = new Set([process.pid, ...Object.values(sides).flatMap(({ pids }) => pids)])
  for (const pid of all) execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', core, `${pid}`])
}

/** The status and the cache status of a response. */
const get = ({ port, host }: Side, path: Path): Promise<string> =>
  new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path, headers: { host } }, (reply) => {
      reply.resume()
      reply.on('end', () => resolve(`${reply.statusCode} ${reply.headers['x-cache']}`))
    })
    asking.on('error', reject).end()
  })

async function compare(title: string, path: Path, more: Pick<Load, 'closes'> = {}): Promise<void> {
  const names = Object.keys(sides)
  const taken = Object.fromEntries(names.map((name) => [name, [] as Measured[]]))
  const round = async (name: string, length: number) => {
    const side = sides[name]!
    return measure({ ...side, hosts: [side.host], path, draw: 'uniform', seconds: length, ...more })
  }
  for (const name of names) {
    await get(sides[name]!, path)
    await round(name, 1)
    const said = await get(sides[name]!, path)
    if (said !== '200 HIT') throw new Error(`${name} answers ${said}`)
  }
  const machine = watchMachine()
  for (let at = 0; at < rounds; at++)
    for (const name of names.toSorted(() => Math.random() - 0.5)) {
      const one = await round(name, seconds)
      if (one.errors > 0) throw new Error(`${one.errors} of ${one.requests} requests to ${name} failed`)
      taken[name]!.push(one)
    }
  console.log(`${title}; ${machine()}`)
  const cpu = (name: string) => taken[name]!.map(({ cpuUs }) => cpuUs)
  for (const name of names) {
    const { cpuUs, p50, p99 } = middle(taken[name]!)
    const ratio = name === 'nginx' ? '' : `  ${besideEachOther(cpu(name), cpu('nginx'))} of nginx`
    console.log(
      `  ${name.padEnd(15)} ${cpuUs.toFixed(1).padStart(6)} µs  p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)} ms${ratio}`,
    )
  }
  for (const peer of ['varnish', 'haproxy'])
    if (taken[peer])
      console.log(`  edge with 50 rules against ${peer}: ${besideEachOther(cpu('edge, 50 rules'), cpu(peer))}`)
}

await compare('cached 1 KB', '/1k')
await compare('cached 1 KB, a connection for each request', '/1k', { closes: true })
await compare('cached 100 KB', '/100k')
