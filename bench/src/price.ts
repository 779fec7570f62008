/**
 * What a request costs the whole product: CPU time of every process from the first request until the last row is
 * stored, compared with an nginx that caches, writes and logs with the same settings. Each round loads both in random
 * order. Every response must be a HIT with 200 and every row must be stored once; anything else ends the bench. The
 * site has 50 rate rules; a tenth of the requests match the first of them, a tenth the last.
 * Run: `node bench/src/price.ts [rounds] [seconds] [requests per second, 0 for as many as possible]`; to measure the
 * rest of the product at five per second: `node bench/src/price.ts 1 60 5`.
 */
import { availableParallelism, cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { askEvents } from '../../tests/harness/event-store.ts'
import { startOrigin } from '../../tests/harness/origin.ts'
import { startProduct } from '../../tests/harness/product.ts'
import { openShop } from '../../tests/harness/shop.ts'
import { until } from '../../tests/harness/until.ts'
import { askHits, hitConnections } from './edge/hits.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { PlainNginx } from './edge/plain.ts'
import { between, groups, type Taken, takenBy, totalOf, watchMachine } from './edge/processes.ts'
import { cpuOf } from './edge/workers.ts'

const [rounds, seconds, rate] = [process.argv[2] ?? 5, process.argv[3] ?? 5, process.argv[4] ?? 0].map(Number) as [
  number,
  number,
  number,
]
const ruleCount = 50
/** Wait after the last row is stored, while the store merges. */
const settleMs = 2_000
/** How long each process is still busy after its start: half a minute later it runs one garbage collection. */
const startMs = 60_000
const restMs = 20_000

const body = Buffer.alloc(1024, 'a')
await using ends = new AsyncDisposableStack()
const origin = await startOrigin((_, reply) =>
  reply.writeHead(200, { 'content-type': 'text/css', 'cache-control': 'public, max-age=86400' }).end(body),
)
ends.defer(() => origin.stop())
const plain = await PlainNginx.start(origin.port, 'edge')
ends.defer(() => plain.end())
const product = await startProduct()
const startedAt = performance.now()
ends.defer(() => product.stop())
const shop = await openShop(product, origin.port, 'price')
for (let n = 1; n <= ruleCount; n++) {
  const urlRegex = `^/(section|part)-${n}/[a-z0-9-]+\\.(css|js)$`
  await shop.change('POST', `${shop.of}/firewall/l7/secondRates`, { urlRegex, rate: 1_000_000, burst: 1_000_000 })
}
await shop.live()
const paths = Array.from({ length: 20 }, (_, n) =>
  n < 2 ? `/section-1/file-${n}.css` : n < 4 ? `/part-${ruleCount}/file-${n}.js` : `/assets/file-${n}.css`,
)

const storedRows = async () => {
  const [row] = await askEvents<{ rows: string }>(product, 'SELECT count() AS rows FROM requests_raw_v1')
  return Number(row?.rows)
}

/**
 * `ms` is the duration of the whole round: `taken` includes the time until the rows are stored and the merges after
 * that.
 */
type Round = { requests: number; taken: Taken; ms: number; p50: number; p99: number; perSecond: number }

/** One round through the edge, until all of its rows are stored. */
async function askProduct(): Promise<Round> {
  const [rowsBefore, before, begun] = [await storedRows(), takenBy(product), performance.now()]
  const { requests, ...rest } = await askHits({ port: product.edgePort, host: shop.host, paths, seconds, rate })
  const rows = await until(
    `${requests} rows to be stored`,
    async () => {
      const rows = (await storedRows()) - rowsBefore
      return rows >= requests && rows
    },
    60_000,
    500,
  )
  // Requests in flight when the load ended are logged too.
  if (rows > requests + hitConnections) throw new Error(`${rows} rows of ${requests} requests`)
  await pause(settleMs)
  return { requests, taken: between(before, takenBy(product)), ms: performance.now() - begun, ...rest }
}

async function askPlain(): Promise<{ us: number; p50: number; p99: number }> {
  const before = cpuOf(plain.workers())
  const { requests, p50, p99 } = await askHits({ port: plain.port, host: shop.host, paths, seconds, rate })
  return { us: (cpuOf(plain.workers()) - before) / requests, p50, p99 }
}

for (const path of paths) {
  for (const port of [product.edgePort, plain.port]) await shop.visit(path, {}, { port })
}
// Work left over from starting and saving is finished before the measurement starts.
await until('the rows of the start', async () => (await storedRows()) >= paths.length)
await pause(Math.max(settleMs, startMs - (performance.now() - startedAt)))
const restBefore = takenBy(product)
await pause(restMs)
const rest = between(restBefore, takenBy(product))

const machine = watchMachine()
const ofProduct: Round[] = []
const ofPlain: { us: number; p50: number; p99: number }[] = []
for (let round = 0; round < rounds; round++) {
  const turns = [async () => void ofProduct.push(await askProduct()), async () => void ofPlain.push(await askPlain())]
  if (Math.random() < 0.5) turns.reverse()
  for (const turn of turns) await turn()
}
const [sum] = await askEvents<{ rows: string; ids: string; requests: string; bytes: string }>(
  product,
  `SELECT count() AS rows, uniqExact(requestId) AS ids, sum(weight) AS requests,
    (SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'requests_raw_v1') AS bytes FROM requests_raw_v1`,
)
if (sum?.rows !== sum?.ids || sum?.rows !== sum?.requests)
  throw new Error(`a row is there twice: ${JSON.stringify(sum)}`)

const each = (of: (taken: Taken) => number) => ofProduct.map(({ requests, taken }) => of(taken) / requests)
const us = (values: number[]) => `${quantile(values, 0.5).toFixed(1).padStart(7)} µs`
const ofLog = (taken: Taken) => taken.agent + taken['node API'] + taken.ClickHouse
const base = ofPlain.map(({ us }) => us)
console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, ${machine()}`)
console.log(
  `${rounds} rounds of ${seconds} s, ${Math.round(
    quantile(
      ofProduct.map(({ perSecond }) => perSecond),
      0.5,
    ),
  )} requests a second; medians of a request`,
)
for (const group of groups) console.log(`  ${group.padEnd(14)} ${us(each((taken) => taken[group]))}`)
console.log(`  ${'the log'.padEnd(14)} ${us(each(ofLog))}   (agent, node API, ClickHouse)`)
console.log(`  ${'all of it'.padEnd(14)} ${us(each(totalOf))}`)
console.log(`  ${'plain nginx'.padEnd(14)} ${us(base)}`)
const side = (name: string, values: number[]) =>
  console.log(`${name} against plain nginx: ${besideEachOther(values, base)}`)
side(
  'nginx',
  each((taken) => taken.nginx),
)
side('all of it', each(totalOf))
const ms = (of: { p50: number; p99: number }[]) =>
  `p50 ${quantile(
    of.map(({ p50 }) => p50),
    0.5,
  ).toFixed(2)}, p99 ${quantile(
    of.map(({ p99 }) => p99),
    0.5,
  ).toFixed(2)} ms`
console.log(`latency: ${ms(ofProduct)}; plain nginx ${ms(ofPlain)}`)
console.log(`bytes a row on disk: ${(Number(sum?.bytes) / Number(sum?.rows)).toFixed(1)}`)
const share = (taken: Taken, ofMs: number) =>
  `${(totalOf(taken) / ofMs / 10).toFixed(1)} % of a core (${groups.map((group) => `${group} ${(taken[group] / ofMs / 10).toFixed(1)}`).join(', ')})`
console.log(`without requests: ${share(rest, restMs)}`)
if (rate > 0) {
  const { taken, ms } = ofProduct.at(-1)!
  console.log(`at this rate: ${share(taken, ms)}`)
}
