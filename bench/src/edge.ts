/**
 * What the whole request path costs: CPU and latency of cached objects through the edge, compared with the same nginx
 * without it that writes and logs with the same settings, in rounds of random order; then a node's start, its memory,
 * and a change to one site. Every site has two deny rules, one of them over a list of 5,000 entries, and 50 rate rules
 * with a regular expression each, all of which are tried beyond the first characters of the path. Every object is
 * asserted to be a HIT before its rounds.
 * Run: `node bench/src/edge.ts [sites] [seconds]`. For 100 KB run it in a network namespace of its own: a segment of
 * the loopback device is larger than what nginx sends at once, so each response would wait 40 ms for an ACK: `unshare
 * -n sh -c 'ip link set lo up mtu 1500; node bench/src/edge.ts'`.
 */
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus } from 'node:os'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { NodeDisk } from '../../edge/box/disk.ts'
import { Box } from '../../edge/box/harness.ts'
import { type Draw, type Measured, measure, middle } from './edge/load.ts'
import { besideEachOther } from './edge/paired.ts'
import { PlainNginx } from './edge/plain.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOf, workersOf } from './edge/workers.ts'

const siteCount = Number(process.argv[2] ?? 10_000)
const seconds = Number(process.argv[3] ?? 4)
const rounds = 5
/** Number of distinct lists and sets of expressions: customers copy from each other, and modules are shared. */
const variants = 100
const hosts = Array.from({ length: siteCount }, (_, n) => `www.site-${n}.test`)

const bodies = { '/1k': Buffer.alloc(1024, 'a'), '/100k': Buffer.alloc(102_400, 'b') }
const origin = createServer((request, response) => {
  const body = bodies[request.url as keyof typeof bodies] ?? bodies['/1k']
  response.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'public, max-age=86400' }).end(body)
})
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
const { port: originPort } = origin.address() as AddressInfo

/** Address rules look up the address first. The expressions are in rate rules, where each of them is tried. */
function rateRules(variant: number) {
  return Array.from({ length: 50 }, (_, n) => ({
    ...{ id: 100 + n, urlRegex: `^/[a-z0-9]+/v${variant}/section-${n}/[a-z0-9-]+\\.(php|aspx?)$` },
    ...{ rate: 50, burst: 100, blockType: 1, mode: 'enforce' as const },
  }))
}

function siteOf(disk: NodeDisk, n: number, lists: readonly string[], revision = 1): FeedEntry {
  const list = lists[n % variants]!
  return disk.site({
    ...{ site: n + 1, revision, hosts: [hosts[n]!], origins: [{ port: originPort }], lists: [list] },
    cache: [],
    firewall: {
      denyRules: [
        { id: 1, urlRegex: '', methods: [], list, mode: 'enforce' },
        { id: 2, urlRegex: '^/admin', methods: [], ips: ['203.0.113.7'], mode: 'enforce' },
      ],
      rateRules: rateRules(n % variants),
    },
  })
}

let lists: string[] = []
function fill(disk: NodeDisk): void {
  lists = Array.from({ length: variants }, (_, v) =>
    disk.list(Array.from({ length: 5000 }, (__, n) => `10.${v}.${(n >> 8) & 255}.${n & 255}`)),
  )
  for (let n = 0; n < siteCount; n += 1) disk.feed(siteOf(disk, n, lists))
}

/** Memory of a process in MB: its own, and what it shares with the other workers. */
function memoryOf(pid: number): { own: number; shared: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1000
  return { own: mb('Pss_Anon'), shared: mb('Rss') - mb('Anonymous') }
}

await using ends = new AsyncDisposableStack()
ends.defer(() => void origin.close())
const box = await Box.start({ workers: 1, cacheBytes: 4_000_000_000 }, fill)
ends.defer(() => box.end())
const plain = await PlainNginx.start(originPort, 'edge')
ends.defer(() => plain.end())

const workersOfBox = () => workersOf(Number(readFileSync(`${box.settings.folder}/run/nginx.pid`, 'utf8')))

console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors; ${siteCount} sites; one worker each`)
const sides = {
  edge: { port: box.settings.httpPort, pids: workersOfBox(), folder: box.settings.folder },
  plain: { port: plain.port, pids: plain.workers(), folder: plain.folder },
}
const tell = (name: string, { requests, errors, cpuUs, p50, p99, p999 }: Measured) =>
  console.log(
    `  ${name.padEnd(6)} ${cpuUs.toFixed(1).padStart(6)} µs  p50 ${p50.toFixed(2)}  p99 ${p99.toFixed(2)}  p99.9 ${p999.toFixed(2)} ms  ${requests} requests, ${errors} errors`,
  )

async function compare(path: '/1k' | '/100k', draw: Draw, count: number): Promise<void> {
  const some = hosts.slice(0, count)
  const taken: Record<keyof typeof sides, Measured[]> = { edge: [], plain: [] }
  for (const side of Object.values(sides)) await measure({ ...side, hosts: some, path, draw: 'uniform', seconds })
  const machine = watchMachine()
  for (let round = 0; round < rounds; round += 1) {
    for (const name of (['plain', 'edge'] as const).toSorted(() => Math.random() - 0.5)) {
      const one = await measure({ ...sides[name], hosts: some, path, draw, seconds })
      if (one.errors > 0) throw new Error(`${one.errors} of ${one.requests} requests to ${name} failed`)
      taken[name].push(one)
    }
  }
  const cpu = (side: keyof typeof sides) => taken[side].map(({ cpuUs }) => cpuUs)
  const ratio = besideEachOther(cpu('edge'), cpu('plain'))
  console.log(`cached ${path.slice(1)}, ${draw} over ${count} hosts: CPU ${ratio}; ${machine()}`)
  tell('edge', middle(taken.edge))
  tell('plain', middle(taken.plain))
}
/** Fetches every host's object once; from then on it is a HIT. */
async function warm(path: string, count: number): Promise<void> {
  for (const [name, { port }] of Object.entries(sides))
    for (let n = 0; n < count; n += 64) {
      const some = hosts.slice(n, Math.min(n + 64, count))
      await Promise.all(some.map((host) => get(port, host, path)))
      for (const said of await Promise.all(some.map((host) => get(port, host, path))))
        if (said !== '200 HIT') throw new Error(`${name} answers ${said}`)
    }
}

/** The status of a response and its cache status. */
const get = (port: number, host: string, path: string): Promise<string> =>
  new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', path, headers: { host } }, (reply) => {
      reply.resume().on('end', () => resolve(`${reply.statusCode} ${reply.headers['x-cache']}`))
    })
      .on('error', reject)
      .end()
  })

await warm('/1k', siteCount)
await compare('/1k', 'uniform', siteCount)
await compare('/1k', 'popular', siteCount)
// As many as fit into the page cache; with more, this would measure the disk.
const large = Math.min(siteCount, 1000)
await warm('/100k', large)
await compare('/100k', 'uniform', large)

// A change to one site: CPU time of the worker, and the time until a request sees it.
const changes = 200
const cpuBefore = cpuOf(sides.edge.pids)
const began = performance.now()
for (let n = 0; n < changes; n += 1) {
  await box.control('POST', '/apply', { entries: [siteOf(box.disk, n, lists, 2)] })
  await get(box.settings.httpPort, hosts[n]!, '/1k')
}
console.log(
  `one site's change, applied and met by a request: ${((cpuOf(sides.edge.pids) - cpuBefore) / changes / 1000).toFixed(2)} ms of a worker, ${((performance.now() - began) / changes).toFixed(1)} ms`,
)

const { own, shared } = memoryOf(workersOfBox()[0]!)
const ofWorkers = (count: number) => (shared + own * count).toFixed(0)
await box.stop()
const started = performance.now()
await box.boot()
console.log(`start from disk with ${siteCount} sites: ${((performance.now() - started) / 1000).toFixed(2)} s`)
console.log(
  `memory of a worker that has met all sites: ${own.toFixed(0)} MB its own, ${shared.toFixed(0)} MB shared; computed, two workers ${ofWorkers(2)} MB, 32 workers ${ofWorkers(32)} MB`,
)
