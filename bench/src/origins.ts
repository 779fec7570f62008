/**
 * Origins: how many requests that miss the cache share a connection to a TLS origin with certificate verification, for
 * one name and for many; and how much longer a site's requests take while another site is under constant load whose
 * origin is dead, refuses or stays silent, compared with one whose origin is healthy.
 * Run: `node bench/src/origins.ts [rounds] [requests]`.
 */
import { Agent, get } from 'node:http'
import { createServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { authorityWith } from '../../edge/box/origin-authority.ts'
import { freePort } from '../../tests/harness/ports.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'

const [rounds, requests] = [process.argv[2] ?? 9, process.argv[3] ?? 2000].map(Number) as [number, number]
const names = Array.from({ length: 50 }, (_, n) => `shop-${n}.test`)

const { ca, issued } = authorityWith('origin.test')
const { cert, key } = issued['origin.test']!
let connections = 0
const secure = createServer({ cert, key, keepAliveTimeout: 60_000 }, (request, response) => {
  response.setHeader('cache-control', 'no-store').end(`origin ${request.url}`)
})
secure.on('secureConnection', () => connections++)
await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
const securePort = (secure.address() as AddressInfo).port

const plain = await StubOrigin.start((request, response) =>
  response.setHeader('cache-control', 'no-store').end(`origin ${request.url}`),
)
/** Accepts connections and never sends a byte. */
const silent = createTcpServer(() => {})
await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))

/** A port that nothing listens on. */
const dead = await freePort()

const originTls = { verify: 'ca' as const, ca, serverName: 'origin.test' }
const box = await Box.start({ workers: 1 }, (disk) =>
  disk.feed(
    disk.site({ hosts: names, origins: [{ port: securePort, tls: true }], settings: { originTls } }),
    disk.site({ site: 2, hosts: ['well.test'], origins: [{ port: plain.port }] }),
    disk.site({ site: 5, hosts: ['also-well.test'], origins: [{ port: plain.port }] }),
    disk.site({ site: 3, hosts: ['refusing.test'], origins: [{ port: dead }] }),
    disk.site({
      ...{ site: 4, hosts: ['silent.test'], origins: [{ port: (silent.address() as AddressInfo).port }] },
      settings: { originFirstByteTimeoutMs: 1000 },
    }),
  ),
)

const agent = new Agent({ keepAlive: true, maxSockets: 200 })
const ask = (host: string, path: string) =>
  new Promise<number>((resolve, reject) =>
    get({ host: '127.0.0.1', port: box.settings.httpPort, path, headers: { host }, agent }, (reply) =>
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0)),
    ).on('error', reject),
  )

/** Sends this many requests, this many at a time; returns the latency of each, in ms. */
async function askMany(count: number, atOnce: number, hostOf: (n: number) => string, status: number) {
  const took: number[] = []
  let next = 0
  const asker = async () => {
    for (let n = next++; n < count; n = next++) {
      const begun = performance.now()
      const answered = await ask(hostOf(n), `/page-${n}`)
      if (answered !== status) throw new Error(`${hostOf(n)} answered ${answered}`)
      took.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, asker))
  return took
}

async function sharing(hostOf: (n: number) => string): Promise<number> {
  const before = connections
  await askMany(requests, 16, hostOf, 200)
  return 1 - (connections - before) / requests
}

/** p99 of a healthy site while `askers` concurrent clients load another host all the time. */
async function beside(host: string, askers: number): Promise<number> {
  const ending = new AbortController()
  const asking = Array.from({ length: askers }, async () => {
    while (!ending.signal.aborted) await ask(host, '/')
  })
  const took = await askMany(requests, 4, () => 'well.test', 200)
  ending.abort()
  await Promise.all(asking)
  return quantile(took, 0.99)
}

try {
  const machine = watchMachine()
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`
  console.log(
    `misses that share a connection to a verified TLS origin, one name: ${percent(await sharing(() => names[0]!))}`,
  )
  console.log(`of ${names.length} names in turn: ${percent(await sharing((n) => names[n % names.length]!))}`)
  const kinds = { well: 'also-well.test', refusing: 'refusing.test', silent: 'silent.test' } as const
  const seen: Record<keyof typeof kinds, number[]> = { well: [], refusing: [], silent: [] }
  const all = Object.keys(kinds) as (keyof typeof kinds)[]
  for (const kind of all) await beside(kinds[kind], 8)
  for (let round = 0; round < rounds; round++)
    for (const kind of all.toSorted(() => Math.random() - 0.5)) seen[kind].push(await beside(kinds[kind], 8))
  for (const kind of ['refusing', 'silent'] as const)
    console.log(
      `p99 of a site beside one whose origin is ${kind}: ${quantile(seen[kind], 0.5).toFixed(1)} against ${quantile(seen.well, 0.5).toFixed(1)} ms, ${besideEachOther(seen[kind], seen.well)}`,
    )
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${requests} requests`)
} finally {
  agent.destroy()
  await box.end()
  await plain.end()
  silent.close()
  secure.closeAllConnections()
  secure.close()
}
