/**
 * How long a saved setting takes to be enforced: on one node, asked by requests through its nginx; on so many simulated
 * agents with TLS connections of their own, until the last has heard of it; and on many sites that share one module.
 *  Beside each stands the call that saved it; and one request explained beside a simple call. Run: `node bench/src/enforce.ts [changes] [agents] [sites]`.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { startHerd } from '../../tests/faults/herd.ts'
import { signIn } from '../../tests/harness/api.ts'
import { startOrigin } from '../../tests/harness/origin.ts'
import { startProduct } from '../../tests/harness/product.ts'
import { openShop, type Shop } from '../../tests/harness/shop.ts'
import { until } from '../../tests/harness/until.ts'

const [changes, agents, sites] = [process.argv[2] ?? 100, process.argv[3] ?? 1000, process.argv[4] ?? 1000].map(Number)

const product = await startProduct()
const origin = await startOrigin()
const shop = await openShop(product, origin.port)

/** A module with one header that says the version, bound to the shop's domain. */
async function makeModule(of: string): Promise<{ module: number; header: number }> {
  const [module] = (await shop.change('POST', `${of}/module/customHeaders`, { modules: [{ name: 'version' }] })).ids
  const headers = `${of}/module/customHeader/${module}/headers`
  await shop.change('POST', headers, { items: [{ type: 'response', key: 'X-Version', value: '0' }] })
  const [{ id: header }] = (await shop.api.call('GET', headers)).body.data
  return { module, header }
}

async function bind(at: Pick<Shop, 'api' | 'of'>, module: number): Promise<void> {
  const [{ id }] = (await at.api.call('GET', `${at.of}/domains`)).body.data
  const reply = await at.api.call('PUT', `${at.of}/domains/module/customHeader`, { domainIDs: [id], moduleID: module })
  if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
}

const { module, header } = await makeModule(shop.of)
await bind(shop, module)
await shop.live()

let version = 0
/** Saves the next version; tells how long the call took, and when it was answered. */
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

async function oneNode(): Promise<void> {
  const [took, saved]: [number[], number[]] = [[], []]
  for (let n = 0; n < changes!; n++) {
    const { tookMs, at } = await save()
    await until('the version', () => isEnforced(shop.host), 30_000, 2)
    took.push(performance.now() - at)
    saved.push(tookMs)
  }
  tell('enforced on one node', took, saved)
}

/** From the reference on a refusal to the list of guards that it met, beside a simple call. */
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
  const herd = await startHerd(product, agents!)
  const [took, saved]: [number[], number[]] = [[], []]
  await until('all agents', async () => herd.current() === agents, 180_000)
  for (let n = 0; n < Math.min(changes!, 20); n++) {
    herd.forget()
    const { tookMs, at } = await save()
    await until('all agents', async () => herd.current() === agents, 120_000, 5)
    took.push(performance.now() - at)
    saved.push(tookMs)
  }
  await herd.close()
  tell(`the last of ${agents} agents has it`, took, saved)
}

/** Sites with one domain each, all bound to the module. Ten people make them, as each may make twenty calls a second. */
async function makeSites(): Promise<string[]> {
  const hosts: string[] = []
  const { customer, password } = product.accounts
  const person = async () => {
    const api = await until('a sign-in', () => signIn(product.url, 'user', customer, password))
    const call = (method: string, path: string, body?: object) =>
      until(
        path,
        async () => {
          const reply = await api.call(method, path, body)
          return reply.status === 200 && (reply.body.data ?? reply.body)
        },
        60_000,
        100,
      )
    while (hosts.length < sites!) {
      const name = `many-${hosts.push('') - 1}`
      const { siteID } = await call('POST', '/user/site', { siteName: name })
      const of = `/user/site/${siteID}`
      const domains = [{ name: `${name}.example.com`, upstreams: [{ ip: '127.0.0.1', port: origin.port }] }]
      await call('POST', `${of}/domains`, { domains })
      await until('the binding', () => bind({ api, of }, module).then(() => true), 60_000, 100)
      hosts[Number(name.slice(5))] = (await call('GET', of)).preview.host
    }
  }
  await Promise.all(Array.from({ length: 10 }, person))
  return hosts
}

async function sharedModule(): Promise<void> {
  const began = performance.now()
  const hosts = await makeSites()
  console.log(`${hosts.length} sites made in ${Math.round((performance.now() - began) / 1000)} s`)
  for (let n = 0; n < 3; n++) {
    const { tookMs, at } = await save()
    const first = performance.now()
    await until('the first site', () => isEnforced(shop.host), 120_000, 10)
    const firstMs = performance.now() - first
    for (const host of hosts) await until(host, () => isEnforced(host), 300_000, 20)
    console.log(
      `a module of ${hosts.length + 1} sites: saved in ${Math.round(tookMs)} ms; the first has it after ${Math.round(firstMs)}, all after ${Math.round(performance.now() - at)} ms`,
    )
  }
}

console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`)
try {
  if (changes! > 0) await oneNode()
  await explain()
  if (sites! > 0) await sharedModule()
  if (agents! > 0) await manyAgents()
} finally {
  await product.stop()
  await origin.stop()
}
