/**
 * How long a saved setting takes to be enforced: on one node, polled by requests through its nginx; on many simulated
 * agents with TLS connections of their own, until the last one has received it; and on many sites that share one
 * module. Each is compared with the call that saved it. Also how long it takes to explain one request, compared with a
 * simple call.
 * Run: `node bench/src/enforce.ts [changes] [agents] [sites]`.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startManyAgents } from '../../tests/faults/many-agents.ts'
import { openManySites } from '../../tests/harness/many-sites.ts'
import { startOrigin } from '../../tests/harness/origin.ts'
import { startProduct } from '../../tests/harness/product.ts'
import { openShop } from '../../tests/harness/shop.ts'
import { until } from '../../tests/harness/until.ts'

const [changes, agents, sites] = [process.argv[2] ?? 100, process.argv[3] ?? 1000, process.argv[4] ?? 1000].map(Number)

await using ends = new AsyncDisposableStack()
const product = await startProduct()
ends.defer(() => product.stop())
const origin = await startOrigin()
ends.defer(() => origin.stop())
const shop = await openShop(product, origin.port)

/** A module with one header that carries the version, bound to the shop's domain. */
async function makeModule(of: string): Promise<{ module: number; header: number }> {
  const [module] = (await shop.change('POST', `${of}/module/customHeaders`, { modules: [{ name: 'version' }] })).ids
  const headers = `${of}/module/customHeader/${module}/headers`
  await shop.change('POST', headers, { items: [{ type: 'response', key: 'X-Version', value: '0' }] })
  const [{ id: header }] = (await shop.api.call('GET', headers)).body.data
  return { module, header }
}

async function bind(module: number): Promise<void> {
  const [{ id }] = (await shop.api.call('GET', `${shop.of}/domains`)).body.data
  await shop.change('PUT', `${shop.of}/domains/module/customHeader`, { domainIDs: [id], moduleID: module })
}

const { module, header } = await makeModule(shop.of)
await bind(module)
await shop.live()

let version = 0
/** Saves the next version. Returns how long the call took and when it was answered. */
async function save(): Promise<{ tookMs: number; at: number }> {
  version++
  const body = { id: header, type: 'response', key: 'X-Version', value: `${version}` }
  const asked = performance.now()
  await shop.change('PUT', `${shop.of}/module/customHeader/${module}/header`, body)
  const at = performance.now()
  return { tookMs: at - asked, at }
}

const isEnforced = async (host: string) => (await shop.visit('/', { host })).headers['x-version'] === `${version}`
const quantile = (values: number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))]!
function tell(name: string, took: number[], saved: number[]): void {
  const [ms, base] = [(q: number) => quantile(took, q).toFixed(0), quantile(saved, 0.5)]
  console.log(
    `${name.padEnd(34)} p50 ${ms(0.5)}, p99 ${ms(0.99)} ms of ${took.length}; saving p50 ${base.toFixed(0)} ms: ${(quantile(took, 0.5) / base).toFixed(1)} ×`,
  )
}

/**
 * For each of this many changes: the time from its response to a request that shows it, and the duration of the call,
 * in ms.
 */
async function changeOften(times: number): Promise<[took: number[], saved: number[]]> {
  const [took, saved]: [number[], number[]] = [[], []]
  for (let n = 0; n < times; n++) {
    const { tookMs, at } = await save()
    await until('the version', () => isEnforced(shop.host), 30_000, 2)
    took.push(performance.now() - at)
    saved.push(tookMs)
  }
  return [took, saved]
}

async function oneNode(): Promise<void> {
  tell('enforced on one node', ...(await changeOften(changes!)))
}

/** From the reference on a block page to the list of guards that the request passed, compared with a simple call. */
async function explain(): Promise<void> {
  const timed = async (ask: (n: number) => Promise<{ status: number }>) => {
    const took: number[] = []
    for (let n = 0; n < 50; n++) {
      const asked = performance.now()
      const { status } = await ask(n)
      if (status !== 200) throw new Error(`answered ${status}`)
      took.push(performance.now() - asked)
      await pause(60)
    }
    return took
  }
  const reference = String((await shop.visit('/')).headers['x-request-id'])
  const ask = () => shop.api.call('POST', '/user/logs/explain', { reference })
  await until('the row', async () => (await ask()).status === 200, 30_000, 200)
  const simple = await timed(() => shop.api.call('GET', shop.of))
  tell('one request explained', await timed(ask), simple)
}

async function manyAgents(): Promise<void> {
  const many = await startManyAgents(product, agents!)
  await using ends = new AsyncDisposableStack()
  ends.defer(() => many.close())
  const [took, saved]: [number[], number[]] = [[], []]
  await until('all agents', async () => many.current() === agents, 180_000)
  for (let n = 0; n < Math.min(changes!, 20); n++) {
    many.forget()
    const { tookMs, at } = await save()
    await until('all agents', async () => many.current() === agents, 120_000, 5)
    took.push(performance.now() - at)
    saved.push(tookMs)
  }
  tell(`the last of ${agents} agents has it`, took, saved)
}

/** One change to all sites that share the module, compared with the same call while only one site used it. */
async function sharedModule(): Promise<void> {
  const [alone, aloneSaved] = await changeOften(20)
  const [base, baseSaved] = [quantile(alone, 0.5), quantile(aloneSaved, 0.5)]
  const began = performance.now()
  const many = await openManySites(product, { siteId: shop.siteID, module, port: origin.port }, sites!)
  try {
    const { hosts } = many
    // The first change publishes what was only inserted; after that the node serves all of them.
    await save()
    const last = hosts.at(-1)!
    await until('the last site', () => isEnforced(last), 300_000, 100)
    console.log(`${hosts.length} sites made and served after ${Math.round((performance.now() - began) / 1000)} s`)
    for (let n = 0; n < 3; n++) {
      const before = await many.read()
      const { tookMs, at } = await save()
      await until('the last site', () => isEnforced(last), 300_000, 10)
      const ms = performance.now() - at
      const { objects, bytes, whole, cpu } = await many.read(before)
      for (let from = 0; from < hosts.length; from += 50) {
        const right = await Promise.all(hosts.slice(from, from + 50).map(isEnforced))
        if (right.includes(false)) throw new Error('the last site has it, and another has not')
      }
      console.log(
        `a module of ${hosts.length + 1} sites: saved in ${seconds(tookMs)} (${(tookMs / baseSaved).toFixed(0)} × one site's ${baseSaved.toFixed(0)} ms), ` +
          `all enforced ${seconds(ms)} later (${(ms / base).toFixed(0)} × one site's ${base.toFixed(0)} ms); ` +
          `${objects} new objects of ${megabytes(bytes)}: ${(bytes / whole).toFixed(2)} × all that these sites have; CPU ${Object.entries(
            cpu,
          )
            .map(([part, s]) => `${part} ${s.toFixed(1)}`)
            .join(', ')} s`,
      )
    }
  } finally {
    await many.close()
  }
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`)
if (changes! > 0) {
  await oneNode()
  await explain()
}
if (sites! > 0) await sharedModule()
if (agents! > 0) await manyAgents()
