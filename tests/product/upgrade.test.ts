/** A new release in a folder of its own replaces the running one, while visitors and callers continue. */
import { type ChildProcess, spawn } from 'node:child_process'
import { appendFileSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyTree } from '../harness/copy-tree.ts'
import { everything } from '../harness/everything.ts'
import { type Origin, startOrigin } from '../harness/origin.ts'
import { watchPace } from '../harness/pace.ts'
import { type Product, startProduct } from '../harness/product.ts'
import { openShop, type Shop } from '../harness/shop.ts'
import { until } from '../harness/until.ts'

let release: string
let product: Product
let origin: Origin
let shop: Shop
let next: ChildProcess | undefined

beforeAll(async () => {
  release = copyTree(['console/dist', 'edge/lua'])
  // The new release differs in the control plane and, in the long form, in the request path, which has to be built.
  for (const name of ['server/src/main.ts', ...(everything ? ['edge/src/request/guards/guards.ts'] : [])]) {
    appendFileSync(join(release, name), '\n// The next release.\n')
  }
  origin = await startOrigin((_request, response) => response.end('hello'))
  product = await startProduct()
  shop = await openShop(product, origin.port)
})

afterAll(async () => {
  if (next && next.exitCode === null) {
    const ended = new Promise((done) => next?.once('exit', done))
    next.kill('SIGTERM')
    await ended
  }
  await product?.stop()
  await origin?.stop()
  rmSync(release, { recursive: true, force: true })
})

/** Calls `ask` again and again; records the longest time without an answer, in ms, and how many calls failed. */
function keepAsking(ask: () => Promise<boolean>) {
  const seen = { longestMs: 0, failed: 0, asked: 0 }
  let going = true
  const done = (async () => {
    let answeredAt = performance.now()
    while (going) {
      const ok = await ask().catch(() => false)
      seen.asked++
      if (ok) answeredAt = performance.now()
      else seen.failed++
      seen.longestMs = Math.max(seen.longestMs, performance.now() - answeredAt)
      await pause(20)
    }
  })()
  return {
    async stop() {
      going = false
      await done
      return seen
    },
  }
}

test('an upgrade builds first, is down for less than five seconds, and no visitor notices', async () => {
  const engines = [product.pid('postgres'), product.pid('clickhouse'), product.pid('nginx')]
  const pace = watchPace()
  const visits = keepAsking(async () => (await shop.visit('/hello')).status === 200)
  // A signed-in call, which needs the database; /health also fails while the node's agent is being replaced.
  const answers: Record<string, number> = {}
  const calls = keepAsking(async () => {
    const status = await shop.api.call('GET', shop.of).then(
      (answer) => String(answer.status),
      (error: Error) => String(error.cause ?? error.message),
    )
    answers[status] = (answers[status] ?? 0) + 1
    return status === '200'
  })
  let said = ''
  next = spawn(join(release, 'script/upgrade'), {
    cwd: release,
    // Exactly the same environment: with another setting the engines and nginx would not keep running.
    env: product.environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [next.stdout, next.stderr])
    stream?.on('data', (chunk: Buffer) => {
      said += chunk
    })
  await until('the new release to serve', async () => said.includes('Breakwater serves'), 400_000).catch(
    (error: Error) => {
      throw new Error(`${error.message}\n${said}`)
    },
  )
  const [visited, called] = await Promise.all([visits.stop(), calls.stop()])
  pace.stop()
  if (everything) expect(said).toContain('Building the edge')
  expect(product.output()).toContain('handed over')
  expect(visited.failed, JSON.stringify(visited)).toBe(0)
  expect(called.longestMs, JSON.stringify(answers)).toBeLessThan(pace.within(5_000))
  const pidOf = (part: string) => Number(new RegExp(`${part} runs \\(process (\\d+)\\)`).exec(said)?.[1])
  expect([pidOf('postgres'), pidOf('clickhouse'), pidOf('nginx')]).toEqual(engines)
  expect(readFileSync(`/proc/${pidOf('api')}/cmdline`, 'utf8')).toContain(release)
  // The new agent renders it once it runs.
  await expect.poll(() => readFileSync(join(product.dataFolder, 'node/nginx.conf'), 'utf8')).toContain(release)
  await shop.change('POST', `${shop.of}/firewall/l7/blacklists`, { ips: ['127.0.0.1'], urlRegex: '^/closed' })
  await shop.live()
  expect((await shop.visit('/closed')).status).toBe(403)
}, 600_000)
