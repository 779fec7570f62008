/**
 * kill -9 of every process while clients write: nothing acknowledged is lost, nothing is half-applied, and it recovers
 * quickly.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rowOfLine } from '@breakwater/contract/edge/row-lines.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../harness/api.ts'
import { sendCrowd } from '../harness/crowd.ts'
import { sumsOfEvents } from '../harness/event-store.ts'
import { everything as complete } from '../harness/everything.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { nginxWorkers, type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'
import { Ledger } from './ledger.ts'

const processes = [
  'api',
  'worker',
  'node-api',
  'postgres',
  'clickhouse',
  'agent',
  'nginx',
  'nginx worker',
  'supervisor',
]
/** Also a database that is restarted cleanly, which reports other errors to its clients than one that is killed. */
const restart = 'postgres restart'
const everything = [...processes, restart]
/**
 * Points at which the agent and the node API kill themselves: between a write and its sync, a sync and its rename, a
 * receipt and its note.
 */
const agentPoints = [
  ...['state.json', 'uploads.json'].flatMap((file) =>
    ['written', 'synced', 'renamed', 'kept'].map((at) => `${file} ${at}`),
  ),
  ...['feed.log written', 'feed.log synced', 'rows acknowledged'],
]
const nodeApiPoints = ['batch stored', 'batch noted', 'batch committed']
const chosen = process.env.FAULT_PARTS?.split(',')
/** Total number of kills. The promise is for 200 of each process: `FAULT_KILLS` with `FAULT_PARTS`. */
const kills = Number(process.env.FAULT_KILLS ?? (complete ? 200 : 20))
const backWithinMs = 3_000

const failpoint = join(mkdtempSync(join(tmpdir(), 'breakwater-points-')), 'point')
let product: Product
let origin: Origin
const shops: Shop[] = []
const ledgers: Ledger[] = []
/** Responses that no site of the test gives. */
const wrong: string[] = []
/** Downtimes of each process, in ms. */
const away = new Map<string, number[]>()
let probe: Shop

beforeAll(async () => {
  origin = await startOrigin((request, response) => {
    const body = `${request.headers.host} ${request.url}`
    response.writeHead(200, { 'content-length': body.length, 'cache-control': 'public, max-age=60' }).end(body)
  })
  product = await startProduct({ BREAKWATER_FAILPOINT: failpoint })
  for (const name of ['one', 'two', 'probe']) shops.push(await openShop(product, origin.port, name))
  probe = shops.pop()!
  shops.forEach((shop, at) => {
    ledgers.push(new Ledger(product, shop, at + 1))
  })
})

afterAll(async () => {
  await product?.stop()
  await origin?.stop()
  rmSync(dirname(failpoint), { recursive: true, force: true })
})

/** Parts whose kill does not change the process that is checked. */
const goesOn = ['nginx worker', 'supervisor']

/** The process that the supervisor restarts when this one is killed. */
const processOf = (part: string) =>
  part === restart
    ? 'postgres'
    : agentPoints.includes(part)
      ? 'agent'
      : nodeApiPoints.includes(part)
        ? 'node-api'
        : part === 'supervisor'
          ? 'api'
          : part

async function kill(part: string) {
  if (agentPoints.includes(part) || nodeApiPoints.includes(part)) {
    writeFileSync(failpoint, part)
    return await until(`${part} to be passed`, async () => !existsSync(failpoint), 120_000, 5)
  }
  if (part === 'supervisor') return await product.crash()
  if (part === restart) return void process.kill(product.pid('postgres'), 'SIGINT')
  const workers = nginxWorkers(product.dataFolder).split(' ')
  process.kill(part === 'nginx worker' ? Number(workers[0]) : product.pid(part), 'SIGKILL')
}

let probes = 0
/** Whether everything works: a setting is saved, and enforced on the next request from its address. */
async function works(before: number, part: string) {
  if (!goesOn.includes(part) && product.pid(processOf(part)) === before) return false
  if (!(await fetch(`${product.url}/health`, { signal: AbortSignal.timeout(10_000) })).ok) return false
  const address = `127.250.${probes >> 8}.${probes++ & 255}`
  const { status, body } = await probe.api.call('POST', `${probe.of}/firewall/l7/blacklists`, { ips: [address] })
  if (status === 401) {
    const { customer, password } = product.accounts
    Object.assign(probe.api, await signIn(product.url, 'user', customer, password))
  }
  if (status !== 200) return false
  await until('it to be enforced', async () => (await statusFrom(probe, address)) === 403, 5_000, 10)
  await probe.api.call('DELETE', `${probe.of}/firewall/l7/blacklists`, { ids: [body.data.id] })
  return true
}

async function statusFrom(shop: Shop, from: string): Promise<number> {
  let status = 0
  const judge = (_: unknown, heard: { status: number }) => {
    status = heard.status
  }
  await sendCrowd(product.edgePort, 1, () => ({ host: shop.host, path: '/kept' }), judge, { connections: 1, from })
  return status
}

/** Visitors who keep coming, and may be disconnected, but never get another site's content. */
async function visitors(signal: AbortSignal) {
  for (let at = 0; !signal.aborted; at++) {
    const shop = shops[at % shops.length]!
    const path = `/page-${at % 50}`
    const heard = await shop.visit(path).catch(() => undefined)
    const due = heard && (heard.status !== 200 || heard.body.endsWith(`.example.com ${path}`))
    const own = heard?.status !== 200 || heard.body.startsWith(shop === shops[0] ? 'one.' : 'two.')
    if (heard && !(due && own)) wrong.push(`${shop.host}${path}: ${heard.status} ${heard.body}`)
    await new Promise((done) => setTimeout(done, 10))
  }
}

/** Processes and failpoints in turn, in random order, until there were enough. */
function* victims() {
  for (let left = kills, round = 0; left > 0; round++) {
    const these = chosen ?? (round % 2 === 0 ? everything : [...agentPoints, ...nodeApiPoints])
    const order = these.toSorted(() => Math.random() - 0.5).slice(0, left)
    yield* order
    left -= order.length
  }
}

test('after random kills every process recovers, and no client ever gets an invalid response', async () => {
  const over = new AbortController()
  const busy = Promise.all([...ledgers.map((ledger) => ledger.write(over.signal)), visitors(over.signal)])
  try {
    for (const part of victims()) {
      const before = part === 'nginx worker' ? 0 : product.pid(processOf(part))
      await new Promise((done) => setTimeout(done, Math.random() * 300))
      const armed = performance.now()
      await kill(part)
      // A named failpoint is reached some time after it is armed.
      const at = everything.includes(part) ? armed : performance.now()
      if (part === 'supervisor') await product.start()
      await until(`${part} to be back`, () => works(before, part), 180_000, 20)
      away.set(part, [...(away.get(part) ?? []), performance.now() - at])
    }
  } finally {
    over.abort()
    await busy
  }
  const figures = [...away].map(([part, times]) => {
    const sorted = times.toSorted((a, b) => a - b).map(Math.round)
    const late = sorted.filter((ms) => ms > backWithinMs).length
    return `${part}: ${sorted.length} kills, back in ${sorted[sorted.length >> 1]} ms (median), ${sorted.at(-1)} ms (worst), ${late} above ${backWithinMs} ms`
  })
  const done = ledgers.reduce((all, { acknowledged }) => all + acknowledged, 0)
  const failed = ledgers.reduce((all, ledger) => all + ledger.failed, 0)
  console.log([...figures, `${done} calls acknowledged, ${failed} not`].join('\n'))
  const unclean = ledgers.flatMap((ledger) => ledger.unclean)
  const log = readFileSync(join(product.dataFolder, 'logs/api.log'), 'utf8').split('\n')
  expect(unclean.slice(0, 5), log.filter((line) => line.includes('"unhandled"')).join('\n')).toEqual([])
  expect(wrong.slice(0, 5)).toEqual([])
}, 7_200_000)

test('nothing acknowledged is lost, and nothing that was removed is there', async () => {
  for (const [at, shop] of shops.entries()) {
    const ledger = ledgers[at]!
    const denied = (await all(shop, 'firewall/l7/blacklists')).flatMap(({ ips }) => ips as string[])
    const rated = (await all(shop, 'firewall/l7/secondRates')).map(({ urlRegex }) => urlRegex.slice(1, -1) as string)
    for (const [names, entries] of [
      [denied, ledger.denied],
      [rated, ledger.rated],
    ] as const) {
      expect(new Set(names).size, 'nothing is there twice').toBe(names.length)
      const lost = [...entries].filter(([name, entry]) => entry === 'there' && !names.includes(name))
      const undead = [...entries].filter(([name, entry]) => entry === 'gone' && names.includes(name))
      expect([lost, undead]).toEqual([[], []])
      expect(names.filter((name) => !entries.has(name))).toEqual([])
    }
  }
})

test('the edge enforces exactly what is saved', async () => {
  for (const [at, shop] of shops.entries()) {
    await shop.live()
    const saved = (await all(shop, 'firewall/l7/blacklists')).flatMap(({ ips }) => ips as string[])
    const addresses = [...ledgers[at]!.denied.keys()].slice(-300)
    const enforced = []
    for (const address of addresses) if ((await statusFrom(shop, address)) === 403) enforced.push(address)
    expect(enforced).toEqual(addresses.filter((address) => saved.includes(address)))
  }
})

test('every revision is complete: one after the other, each with its change', async () => {
  for (const shop of shops) {
    const { revision } = await shop.change('GET', shop.of)
    const { body } = await shop.api.call('GET', `${shop.of}/history?pageSize=500`)
    const numbers = body.data.map((row: { revision: number }) => row.revision)
    expect(numbers).toEqual(numbers.map((_: number, at: number) => revision - at))
    for (const number of numbers.slice(0, 20)) {
      if (number < 2) continue
      const { changes } = await shop.change('GET', `${shop.of}/history/diff?from=${number - 1}&to=${number}`)
      expect(changes.length, `revision ${number}`).toBeGreaterThan(0)
    }
  }
})

test('acknowledged purges are done', async () => {
  for (const [at, shop] of shops.entries()) {
    for (const task of ledgers[at]!.purges) {
      await until(`purge ${task}`, async () => {
        const { done, nodes, failed } = await shop.change('GET', `${shop.of}/cache/purge/${task}`)
        return nodes > 0 && done === nodes && failed.length === 0
      })
    }
  }
})

test('rollups match the rows, and no row is stored twice', async () => {
  const log = join(product.dataFolder, 'node/spool/requests.log')
  const countWritten = () => readFileSync(log, 'utf8').split('\n').filter(isRowOfASite).length
  // The agent backs off for up to half a minute after repeated outages of the control plane.
  await until(
    'every written row, once',
    async () => {
      const [{ rows }, written] = [await sumsOfEvents(product), countWritten()]
      if (rows !== written) throw new Error(`${rows} rows are stored, ${written} were written`)
      return true
    },
    90_000,
    200,
  )
  await until('rollups that say what rows say', async () => {
    const { rows, requests } = await sumsOfEvents(product)
    if (requests.some((sum) => sum !== rows)) throw new Error(`of ${rows} rows, sums say ${requests}`)
    return true
  })
})

/** A worker that is killed while writing leaves a torn line, which is not a row. */
const isRowOfASite = (line: string): boolean => (rowOfLine(line)?.site ?? 0) > 0

// biome-ignore lint/suspicious/noExplicitAny: rows under test may have any shape
async function all(shop: Shop, path: string): Promise<any[]> {
  const api = await signIn(product.url, 'user', product.accounts.customer, product.accounts.password)
  Object.assign(shop.api, api)
  return (await api.call('GET', `${shop.of}/${path}?pageSize=500`)).body.data
}
