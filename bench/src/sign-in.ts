/**
 * How much sign-ins slow down everybody else: the latency of a simple call alone, and while people sign in at a steady
 * rate; and what the permission check adds to a call.
 * Run: `node bench/src/sign-in.ts [sign-ins per second] [seconds]`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { buildApp } from '../../server/src/app.ts'
import { permissionsOf } from '../../server/src/auth/permissions.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { startPostgres } from '../../server/src/engines/postgres.ts'
import { makeServices } from '../../server/src/services.ts'
import { firstRun } from '../../server/src/system/first-run.ts'

const rate = Number(process.argv[2] ?? 20)
const seconds = Number(process.argv[3] ?? 20)
const password = 'correct-horse-7'

await using ends = new AsyncDisposableStack()
const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
ends.defer(() => rmSync(dataFolder, { recursive: true, force: true }))
const postgres = await startPostgres({ dataFolder: join(dataFolder, 'postgres'), durable: true })
ends.defer(() => postgres.stop())
await migrate(postgres.url)
Object.assign(process.env, {
  BREAKWATER_DATA: dataFolder,
  BREAKWATER_LOG_LEVEL: 'silent',
  BREAKWATER_FIRST_PASSWORD: password,
  DATABASE_URL: postgres.url,
  // No call of this bench reads events; the client does not connect until the first query.
  CLICKHOUSE_URL: 'http://127.0.0.1:9',
})
const services = makeServices('bench')
ends.defer(() => services.events.close())
ends.defer(() => services.database.close())
await firstRun(services)
const app = await buildApp(services, { checksReplies: false })
ends.defer(() => app.close())
const url = await app.listen({ port: 0, host: '127.0.0.1' })

/** One sign-in, from the first byte to the tokens. Returns its duration in ms, and the token. */
async function signIn(): Promise<{ took: number; token: string }> {
  const started = performance.now()
  const reply = await fetch(`${url}/api/v1/user/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account: 'customer', password }),
  })
  const { data } = (await reply.json()) as { data: { accessToken: string } }
  if (!reply.ok) throw new Error(`sign-in answered ${reply.status}`)
  return { took: performance.now() - started, token: data.accessToken }
}

const quantile = (values: number[], q: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0
const told = (values: number[]) =>
  `p50 ${quantile(values, 0.5).toFixed(1)} ms, p99 ${quantile(values, 0.99).toFixed(1)} ms of ${values.length}`

const { token } = await signIn()

/** A simple GET every 60 ms, within the rate limit of one caller, however long the previous one took. */
async function measureReads(forMs: number): Promise<number[]> {
  const asked: Promise<number>[] = []
  const end = performance.now() + forMs
  while (performance.now() < end) {
    const started = performance.now()
    asked.push(
      fetch(`${url}/api/v1/user/account/self`, { headers: { authorization: `Bearer ${token}` } }).then(
        async (reply) => {
          await reply.arrayBuffer()
          if (!reply.ok) throw new Error(`self answered ${reply.status}`)
          return performance.now() - started
        },
      ),
    )
    await pause(60)
  }
  return Promise.all(asked)
}

await measureReads(2_000)
const alone = await measureReads((seconds * 1000) / 2)
const signIns: Promise<{ took: number }>[] = []
// A little below the rate limit of one address, so that the limit is not what is measured.
const timer = setInterval(() => signIns.push(signIn()), 1000 / rate)
const beside = await measureReads(seconds * 1000)
clearInterval(timer)
const done = await Promise.all(signIns)

const rounds = 1_000_000
const keys = permissionsOfTier('client')
const account = { tier: 'client' as const, isRoot: false, permissions: [...keys] }
const before = performance.now()
let held = 0
for (let i = 0; i < rounds / 10; i += 1) if (permissionsOf(account).has('sites.write')) held += 1
const makeUs = ((performance.now() - before) * 1000) / (rounds / 10)
const set = permissionsOf(account)
const between = performance.now()
for (let i = 0; i < rounds; i += 1) if (set.has(keys[i % keys.length]!)) held += 1
const askUs = ((performance.now() - between) * 1000) / rounds

console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors`)
console.log(`a simple call alone:            ${told(alone)}`)
console.log(`beside ${rate} sign-ins a second:   ${told(beside)}`)
console.log(`sign-ins: ${(done.length / seconds).toFixed(1)} a second, ${told(done.map(({ took }) => took))}`)
console.log(
  `the permission check: ${makeUs.toFixed(2)} µs to know the keys, ${askUs.toFixed(3)} µs to ask for one: 1 : ${Math.round((quantile(alone, 0.5) * 1000) / (makeUs + askUs))} of a simple call (${held > 0})`,
)
