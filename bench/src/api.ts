/**
 * What the API's own overhead costs (authentication, authorization, input validation, headers, IDs, log) compared with
 * bare `node:http` that sends and receives the same JSON; neither side uses a database. One process per side; each
 * round queries both in random order and compares the CPU time per call over all threads of the process. Any status
 * other than 200 is an error.
 * Run: `node bench/src/api.ts [seconds] [rounds]`.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { rateRules } from '@breakwater/contract/firewall/rate-rules.ts'
import { permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { makeApp } from '../../server/src/http/app.ts'
import { type Caller, implementOpen } from '../../server/src/http/implement.ts'
import { mount } from '../../server/src/http/mount.ts'
import { makeServices } from '../../server/src/services.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { watchMachine } from './edge/processes.ts'
import { cpuOfThreads } from './edge/workers.ts'
import { runWrk } from './edge/wrk.ts'

/** A page of rate rules and one rule to save: typical API responses and requests. */
const rule = {
  ...{ urlRegex: '^/login', rate: 10, burst: 20, priority: 100, blockType: 1 as const, enabled: true },
  ...{ mode: 'enforce' as const, memo: 'against guessing', expiresAt: null },
}
const moment = '2026-11-21T12:00:00.000Z'
const page = {
  total: 20,
  data: Array.from({ length: 20 }, (_, n) => ({
    ...{ ...rule, id: n + 1, createdAt: moment, updatedAt: moment, createdBy: 'customer' },
  })),
}

async function serveApi(): Promise<number> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  process.once('exit', () => rmSync(dataFolder, { recursive: true }))
  // Neither database is ever queried; the log is written as in production.
  Object.assign(process.env, { BREAKWATER_DATA: dataFolder, DATABASE_URL: 'postgres://127.0.0.1:9/none' })
  process.env.CLICKHOUSE_URL = 'http://127.0.0.1:9'
  const { database, vault, logger } = makeServices('bench')
  const app = makeApp(logger)
  const { list, create } = rateRules.calls
  const feature = implementOpen(
    { list, create },
    { list: async () => page, create: async ({ body }) => ({ id: body.rate, sameAs: null }) },
  )
  const permissions = new Set(permissionsOfTier('user'))
  let asked = 0
  mount(app, [feature.map((route) => ({ ...route, endpoint: { ...route.endpoint, audit: undefined } }))], {
    database,
    vault,
    identifyAgain: async (caller) => caller,
    requireCurrent: async () => {},
    checksReplies: false,
    // Enough sessions to keep each of them within its rate limit.
    identify: async (): Promise<Caller> => ({
      ...{ accountId: 1, accountName: 'bench', tenantId: 1, tier: 'user', isRoot: false, mustChangePassword: false },
      ...{ sessionId: asked++ % 20_000, permissions },
    }),
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

async function serveBare(): Promise<number> {
  const server = createServer((request, response) => {
    const tell = (body: object) => {
      response.setHeader('content-type', 'application/json; charset=utf-8')
      response.end(JSON.stringify(body))
    }
    if (request.method === 'GET') return tell(page)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => tell({ data: { id: (JSON.parse(Buffer.concat(chunks).toString()) as typeof rule).rate } }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}

type Side = { child: ChildProcess; port: number }
/** CPU time in µs per call, latency in ms. */
type Measured = { cpuUs: number; p50: number; p99: number }

async function start(side: 'api' | 'bare'): Promise<Side> {
  const child = fork(import.meta.filename, [side], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const port = await new Promise<number>((told, failed) => {
    child.once('message', (message) => told(message as number))
    child.once('exit', (code) => failed(new Error(`${side} ended with ${code}`)))
  })
  return { child, port }
}

const script = (method: 'GET' | 'POST') => `
wrk.method = '${method}'
wrk.headers['Authorization'] = 'Bearer bench'
${method === 'POST' ? `wrk.headers['Content-Type'] = 'application/json' wrk.body = [[${JSON.stringify(rule)}]]` : ''}
local threads = {}
function setup(thread) threads[#threads + 1] = thread end
function init() wrong = 0 end
function response(status) if status ~= 200 then wrong = wrong + 1 end end
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"errors":%d,"p50":%.3f,"p99":%.3f}\\n', summary.requests,
    e.connect + e.read + e.write + e.timeout + threads[1]:get('wrong'), latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
`

async function measure(folder: string, { child, port }: Side, method: 'GET' | 'POST', seconds: number) {
  const file = join(folder, `${method}.lua`)
  writeFileSync(file, script(method))
  const before = cpuOfThreads(child.pid!)
  const url = `http://127.0.0.1:${port}/api/v1/user/site/1/firewall/l7/secondRates`
  const said = await runWrk(['-t1', '-c16', `-d${seconds}s`, '-s', file, url])
  const cpu = cpuOfThreads(child.pid!) - before
  const found = JSON.parse(/RESULT (\{.*\})/.exec(said)![1]!) as Measured & { requests: number; errors: number }
  if (found.errors > 0 || found.requests === 0) throw new Error(`${found.errors} of ${found.requests} calls failed`)
  return { ...found, cpuUs: cpu / found.requests }
}

async function compare(seconds: number, rounds: number): Promise<void> {
  await using ends = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  ends.defer(() => rmSync(folder, { recursive: true }))
  const sides = { bare: await start('bare'), api: await start('api') }
  ends.defer(() => {
    for (const { child } of Object.values(sides)) child.disconnect()
  })
  const names = Object.keys(sides) as (keyof typeof sides)[]
  const machine = watchMachine()
  for (const method of ['GET', 'POST'] as const) {
    const taken: Record<keyof typeof sides, Measured[]> = { bare: [], api: [] }
    for (const name of names) await measure(folder, sides[name], method, 2)
    for (let round = 0; round < rounds; round++) {
      for (const name of names.toSorted(() => Math.random() - 0.5))
        taken[name].push(await measure(folder, sides[name], method, seconds))
    }
    const of = (name: keyof typeof sides, key: keyof Measured) => taken[name].map((one) => one[key])
    console.log(`${method}: ${besideEachOther(of('api', 'cpuUs'), of('bare', 'cpuUs'))} of bare node's processor time`)
    for (const name of names) {
      const [cpuUs, p50, p99] = (['cpuUs', 'p50', 'p99'] as const).map((key) => quantile(of(name, key), 0.5))
      console.log(
        `  ${name.padEnd(5)} ${cpuUs!.toFixed(1).padStart(6)} µs a call; p50 ${p50!.toFixed(2)}, p99 ${p99!.toFixed(2)} ms`,
      )
    }
  }
  console.log(
    `${cpus()[0]?.model}, ${availableParallelism()} processors, ${machine()}; ${rounds} rounds of ${seconds} s`,
  )
}

const [first, second] = process.argv.slice(2)
if (first === 'api' || first === 'bare') {
  process.once('disconnect', () => process.exit())
  process.send!(await (first === 'api' ? serveApi() : serveBare()))
} else await compare(Number(first ?? 3), Number(second ?? 9))
