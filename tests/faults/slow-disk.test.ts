/** A disk on which every sync takes long: people are served as before, settings take longer, and nothing is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendCrowd } from '../harness/crowd.ts'
import { sumsOfEvents, whereRowsAre } from '../harness/event-store.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { hasCompiler, type SlowDisk, slowDisk } from '../harness/slow-disk.ts'
import { until } from '../harness/until.ts'
import { Ledger } from './ledger.ts'

const syncMs = Number(process.env.FAULT_SYNC_MS ?? 200)
const requests = Number(process.env.FAULT_RESPONSES ?? 1_000)
const perSecond = 500
const turns = 5

// The library that slows it down has to be compiled: without a C compiler there is no slow disk.
const compiled = hasCompiler()
let disk: SlowDisk
let product: Product
let origin: Origin
let shop: Shop
let asked = 0
let failed = 0

beforeAll(async () => {
  if (!compiled) return
  disk = slowDisk()
  origin = await startOrigin((request, response) => {
    const body = `${request.url}`
    response.writeHead(200, { 'content-length': body.length, 'cache-control': 'public, max-age=600' }).end(body)
  })
  product = await startProduct(disk.environment)
  shop = await openShop(product, origin.port)
})

afterAll(async () => {
  disk?.slow(0)
  await product?.stop()
  await origin?.stop()
  disk?.remove()
})

/**
 * Makes this many visits at a steady pace, of which one in fifty misses the cache; returns how long each took, in ms.
 */
async function visit(count: number): Promise<number[]> {
  const tookMs: number[] = []
  for (let left = count; left > 0; left -= perSecond / 10) {
    const round = new Promise((done) => setTimeout(done, 100))
    const one = async () => {
      const path = asked++ % 50 === 0 ? `/new-${asked}` : `/page-${asked % 40}`
      const at = performance.now()
      const judge = (_: unknown, { status, body }: { status: number; body: string }) => {
        if (status !== 200 || body !== path) failed++
      }
      await sendCrowd(product.edgePort, 1, () => ({ host: shop.host, path }), judge, { connections: 1 })
      tookMs.push(performance.now() - at)
    }
    await Promise.all([round, ...Array.from({ length: perSecond / 10 }, one)])
  }
  return tookMs
}

function figures(tookMs: number[]): { median: number; p99: number } {
  const sorted = tookMs.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!
  return { median: at(0.5), p99: at(0.99) }
}

const say = ({ median, p99 }: { median: number; p99: number }) => `${median.toFixed(1)} ms (p99 ${p99.toFixed(1)} ms)`

/** Saves a setting; returns how long it takes to be acknowledged, and then to be enforced, in ms. */
async function saved(address: string): Promise<[number, number]> {
  const at = performance.now()
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: [address] })
  const acknowledged = performance.now()
  await until(
    'it to be enforced',
    async () => {
      let status = 0
      const judge = (_: unknown, heard: { status: number }) => {
        status = heard.status
      }
      const options = { connections: 1, from: address }
      await sendCrowd(product.edgePort, 1, () => ({ host: shop.host, path: '/page-1' }), judge, options)
      asked++
      return status === 403
      // It is applied after all changes that the writer made meanwhile, each of which is synced too.
    },
    180_000,
  )
  return [acknowledged - at, performance.now() - acknowledged]
}

test.skipIf(!compiled)('a slow disk does not slow people down, and nothing acknowledged is lost', async () => {
  await visit(requests)
  const [fastSave] = await saved('127.251.0.1')
  const over = new AbortController()
  const ledger = new Ledger(product, shop, 1)
  const writing = ledger.write(over.signal)
  // In turn, so that other load of the machine affects both.
  const [ofFast, ofSlow]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < turns; turn++) {
    disk.slow(0)
    ofFast.push(...(await visit(requests / turns)))
    disk.slow(syncMs)
    ofSlow.push(...(await visit(requests / turns)))
  }
  const [fast, slow] = [figures(ofFast), figures(ofSlow)]
  const [slowSave, slowEnforced] = await saved('127.251.0.2')
  over.abort()
  await writing
  disk.slow(0)
  const at = performance.now()
  const [back] = await saved('127.251.0.3')
  expect(failed, 'requests without an answer have no row to wait for').toBe(0)
  await until(
    'every request, once',
    async () => {
      const { rows } = await sumsOfEvents(product)
      if (rows < asked) throw new Error(`${rows} rows of ${asked} requests: ${await whereRowsAre(product)}`)
      return true
    },
    90_000,
    500,
  )
  const caughtUp = performance.now() - at
  const round = Math.round
  console.log(
    `a visit takes ${say(fast)}, with syncs of ${syncMs} ms ${say(slow)}; a change is saved in ${round(fastSave)} ms, then in ${round(slowSave)} ms and enforced ${round(slowEnforced)} ms later; ${ledger.acknowledged} calls acknowledged, ${ledger.failed} not; ${round(back)} ms for a change afterwards, all rows there after ${round(caughtUp)} ms`,
  )
  expect(slowSave, 'the disk is slow').toBeGreaterThan(syncMs)
  expect([failed, ledger.failed, ledger.unclean]).toEqual([0, 0, []])
  expect(ledger.acknowledged).toBeGreaterThan(0)
  const rules = await shop.api.call('GET', `${shop.of}/firewall/l7/blacklists?pageSize=500`)
  const there = rules.body.data.flatMap(({ ips }: { ips: string[] }) => ips)
  const lost = [...ledger.denied].filter(([address, entry]) => entry === 'there' && !there.includes(address))
  expect(lost).toEqual([])
  // Anything that waits for the disk would wait for a whole sync. On a machine that does other things, p99 is chance.
  expect(slow.median).toBeLessThan(3 * fast.median + syncMs / 2)
})
