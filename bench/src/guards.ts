/**
 * What guards cost a hit: CPU of the worker for a cached 1 KB of a site with the six original guards, of one with
 * twelve, and of one without any rules, on one node with 10,000 more sites. Each guard has three rules; in the guards
 * that count requests, one of the three does count. Compared with a plain nginx that logs and writes with the same
 * settings. Each round measures all of them in random order.
 * Run: `node bench/src/guards.ts [rounds] [seconds] [sites]`.
 */
import { cpus } from 'node:os'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { askHits } from './edge/hits.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { PlainNginx } from './edge/plain.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOf, isWorker } from './edge/workers.ts'

const [rounds, seconds, siteCount] = [process.argv[2] ?? 9, process.argv[3] ?? 2, process.argv[4] ?? 10_000].map(
  Number,
) as [number, number, number]
const mode = 'enforce' as const
const three = <T>(make: (n: number) => T): T[] => [0, 1, 2].map(make)

/** Allow, deny, rate and body rules; the protocol and site status guards run for every site. */
const six = {
  allowRules: three((n) => ({ id: 10 + n, urlRegex: '', methods: [], ips: [`203.0.113.${n}`], mode })),
  denyRules: three((n) => ({ id: 20 + n, urlRegex: '', methods: [], ips: [`198.51.100.${n}`, '2001:db8::/32'], mode })),
  rateRules: three((n) => ({
    ...{ id: 30 + n, urlRegex: n === 0 ? '' : `^/limited-${n}/`, rate: 1e6, burst: 1e6, blockType: 1, mode },
  })),
  bodyRules: three((n) => ({
    ...{ id: 40 + n, urlRegex: '^/form', methods: ['POST'], contains: 'evil', oversize: 'block' as const, mode },
  })),
}
const twelve = {
  ...six,
  headerRules: three((n) => ({
    id: 50 + n,
    urlRegex: '',
    header: 'x-scanner',
    valueRegex: `^v${n}$`,
    blockType: 0,
    mode,
  })),
  agentRules: three((n) => ({ id: 60 + n, urlRegex: '', userAgentRegex: `^bot-${n}$`, blockType: 0, mode })),
  intervalRules: three((n) => ({
    ...{ id: 70 + n, urlRegex: n === 0 ? '' : `^/counted-${n}`, seconds: 60, times: 1e9, blockType: 1, mode },
  })),
  antiHeaders: three((n) => ({
    id: 80 + n,
    urlRegex: '',
    header: 'x-tool',
    valueRegex: `^v${n}$`,
    blockType: 0,
    mode,
  })),
  antiReferers: three((n) => ({
    ...{ id: 90 + n, urlRegex: '', referers: [`*.evil-${n}.example`], isBlack: true, allowEmpty: true, mode },
  })),
  antiCC: three((n) => ({
    ...{
      id: 100 + n,
      urlRegex: n === 0 ? '' : `^/flood-${n}`,
      seconds: 60,
      times: 1e9,
      blockType: 1,
      blockSeconds: 60,
      mode,
    },
  })),
}
const kinds = { 'no rules': {}, 'six guards': six, 'twelve guards': twelve }
type Kind = keyof typeof kinds | 'plain nginx'
const siteNames = Object.keys(kinds) as (keyof typeof kinds)[]
const names: Kind[] = ['plain nginx', ...siteNames]
const hostOf = (name: Kind) => (name === 'plain nginx' ? '127.0.0.1' : `${name.replaceAll(' ', '-')}.test`)

const origin = await StubOrigin.start((_, reply) =>
  reply.setHeader('cache-control', 'max-age=3600').end('x'.repeat(1024)),
)
const box = await Box.start({ workers: 1 }, (disk) => {
  const origins = [{ port: origin.port }]
  for (const [at, name] of siteNames.entries())
    disk.feed(disk.site({ site: at + 1, hosts: [hostOf(name)], origins, firewall: kinds[name] }))
  for (let n = 0; n < siteCount; n++) disk.feed(disk.site({ site: n + 10, hosts: [`www.site-${n}.test`], origins }))
})

const plain = await PlainNginx.start(origin.port, 'edge')

const nodeOf = (name: Kind) =>
  name === 'plain nginx'
    ? { port: plain.port, workers: plain.workers() }
    : { port: box.settings.httpPort, workers: box.workers().filter(isWorker) }

/** CPU time of the worker in µs per request. */
async function measure(name: Kind): Promise<number> {
  const { port, workers } = nodeOf(name)
  const before = cpuOf(workers)
  const { requests } = await askHits({
    port,
    host: hostOf(name),
    paths: ['/page'],
    seconds,
    rate: 0,
  })
  return (cpuOf(workers) - before) / requests
}

try {
  await (await fetch(`http://127.0.0.1:${plain.port}/page`)).text()
  for (const name of siteNames) await box.request(hostOf(name), '/page')
  for (const name of names) await measure(name)
  const seen: Record<Kind, number[]> = { 'plain nginx': [], 'no rules': [], 'six guards': [], 'twelve guards': [] }
  const machine = watchMachine()
  for (let round = 0; round < rounds; round++)
    for (const name of names.toSorted(() => Math.random() - 0.5)) seen[name].push(await measure(name))
  console.log(`${cpus()[0]?.model}, ${machine()}; ${rounds} rounds of ${seconds} s, ${siteCount} more sites`)
  for (const name of names)
    console.log(
      `${name}: ${quantile(seen[name], 0.5).toFixed(1)} µs, ${besideEachOther(seen[name], seen['six guards'])} of six, ${besideEachOther(seen[name], seen['plain nginx'])} of the plain nginx`,
    )
} finally {
  await box.end()
  await plain.end()
  await origin.end()
}
