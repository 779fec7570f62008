/**
 * What delivery settings cost the worker in CPU, compared with the same node without them, in rounds of random order: a
 * hit with all settings; the last of 3,000 redirects and a single redirect; a handshake whose certificate is selected
 * by SNI and nginx's own static certificate; and how long the purge of one URL takes among many objects.
 * Run: `node bench/src/delivery.ts [rounds] [seconds] [objects]`.
 */
import { Agent, get } from 'node:http'
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { certificateFor } from '../../edge/box/make-certificate.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { shakeHands, startStatic } from './edge/handshakes.ts'
import { askHits } from './edge/hits.ts'
import { besideEachOther, costOf, inRounds, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOf, workersOf } from './edge/workers.ts'

const [rounds, seconds, objects] = [process.argv[2] ?? 9, process.argv[3] ?? 2, process.argv[4] ?? 20_000].map(
  Number,
) as [number, number, number]
const batch = 10_000
const handshakes = 300

const redirect = (id: number, match: 'exact' | 'prefix' | 'regex', value: string) => ({
  ...{ id, match, value, target: '/elsewhere', status: 301 as const, keepQuery: true },
})
/** A thousand of each kind, in this order: for the last one, all others are tried first. */
const table = [
  ...Array.from({ length: 1000 }, (_, n) => redirect(n + 1, 'exact', `/page-${n}`)),
  ...Array.from({ length: 1000 }, (_, n) => redirect(n + 1001, 'prefix', `/section-${n}/`)),
  ...Array.from({ length: 1000 }, (_, n) => redirect(n + 2001, 'regex', `^/item-${n}-[0-9]+$`)),
]

const origin = await StubOrigin.start((_, reply) =>
  reply.setHeader('content-type', 'text/css').setHeader('cache-control', 'max-age=3600').end('x'.repeat(1024)),
)
const names = Array.from({ length: 200 }, (_, n) => `name-${n}.test`)
const one = certificateFor(1, 'a.test')
const box = await Box.start({ workers: 1 }, (disk) => {
  const origins = [{ port: origin.port }]
  const page = { status: 403, content: '<p>no</p>', intercept: false }
  disk.feed(
    disk.site({ hosts: ['bare.test'], origins }),
    disk.site({
      ...{ site: 2, hosts: ['set.test'], origins, redirects: table.slice(0, 2000) },
      rewrites: [{ id: 1, urlRegex: '^/rewritten/', target: '/other' }],
      cors: { origins: ['https://www.example.com'] },
      headers: [{ id: 1, type: 'response', key: 'X-Own', value: 'here' }],
      tokens: {
        rules: [{ id: 1, urlRegex: '^/signed/', kind: 'D', ttl: 600, parameter: 'sign' }],
        keys: { 1: ['bench-key'] },
      },
      bandwidth: [{ id: 1, urlRegex: '^/slow/', rate: 100_000, afterSize: 0 }],
      errorPages: [[page]],
      cache: [
        { id: 1, prefixes: ['/no/'], extensions: [], ttl: 0, ignoreQuery: false },
        { id: 2, prefixes: [], extensions: ['css'], ttl: 600, ignoreQuery: true, browserTtl: 60 },
      ],
      settings: { hsts: 'max-age=1', tlsProfile: 'modern' },
    } as Parameters<typeof disk.site>[0]),
    disk.site({ site: 3, hosts: ['one.test'], origins, redirects: [redirect(1, 'regex', '^/item-999-[0-9]+$')] }),
    disk.site({ site: 4, hosts: ['table.test'], origins, redirects: table }),
    disk.site({ site: 5, hosts: names, origins, certificates: Object.fromEntries(names.map((n) => [n, [one]])) }),
    disk.site({ site: 6, hosts: ['full.test'], origins }),
    disk.site({ site: 7, hosts: ['empty.test'], origins }),
  )
})

const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const ask = (host: string, path: string) =>
  new Promise<number>((resolve, reject) =>
    get({ host: '127.0.0.1', port: box.settings.httpPort, path, headers: { host }, agent }, (reply) =>
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0)),
    ).on('error', reject),
  )

/** Sends this many requests, 16 at a time; each has to be answered with this status. */
async function askMany(count: number, host: string, pathOf: (n: number) => string, status: number) {
  let next = 0
  const asker = async () => {
    for (let n = next++; n < count; n = next++) {
      const answered = await ask(host, pathOf(n))
      if (answered !== status) throw new Error(`${host}${pathOf(n)} answered ${answered}`)
    }
  }
  await Promise.all(Array.from({ length: 16 }, asker))
}

async function hit(host: string): Promise<number> {
  const before = cpuOf(box.workers())
  const { requests } = await askHits({ port: box.settings.httpPort, host, paths: ['/app.css'], seconds, rate: 0 })
  return (cpuOf(box.workers()) - before) / requests
}

const say = (what: string, these: number[], those: number[], unit = 'µs') =>
  console.log(
    `${what}: ${quantile(these, 0.5).toFixed(1)} against ${quantile(those, 0.5).toFixed(1)} ${unit}, ${besideEachOther(these, those)}`,
  )

const plain = await startStatic(one)
try {
  const machine = watchMachine()
  for (const host of ['bare.test', 'set.test']) await ask(host, '/app.css')
  const hits = await inRounds(rounds, { set: () => hit('set.test'), bare: () => hit('bare.test') })
  say('a hit with every setting', hits.set, hits.bare)

  const redirected = (host: string) => () =>
    costOf(box.workers(), batch, () => askMany(batch, host, (n) => `/item-999-${n}`, 301))
  const redirects = await inRounds(rounds, { last: redirected('table.test'), only: redirected('one.test') })
  say('the last of 3,000 redirects', redirects.last, redirects.only)

  const shaken = (pids: () => readonly number[], port: number, nameOf: (n: number) => string) => () =>
    costOf(pids(), handshakes, async () => {
      for (let n = 0; n < handshakes; n++) await shakeHands(port, nameOf(n))
    })
  const tls = await inRounds(rounds, {
    chosen: shaken(
      () => box.workers(),
      box.settings.httpsPort,
      (n) => names[n % names.length]!,
    ),
    fixed: shaken(
      () => workersOf(plain.child.pid!),
      plain.port,
      () => 'a.test',
    ),
  })
  say('a handshake, certificate chosen by name', tls.chosen, tls.fixed)

  await askMany(objects, 'full.test', (n) => `/object-${n}`, 200)
  let purges = 0
  const purged = (site: number, host: string) => async () => {
    const values = [`${host}/object-${purges}`]
    const begun = performance.now()
    await box.control('POST', '/purge', { purges: [{ id: 1000 + purges++, site, type: 'url', values }] })
    return performance.now() - begun
  }
  const gone = await inRounds(rounds, { full: purged(6, 'full.test'), empty: purged(7, 'empty.test') })
  say(`a purge of one URL beside ${objects} objects`, gone.full, gone.empty, 'ms')
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${seconds} s`)
} finally {
  agent.destroy()
  plain.end()
  await box.end()
  await origin.end()
}
