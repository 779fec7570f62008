/**
 * What the API's own way costs (who calls, may they, is the input right, headers, ids, log) beside bare `node:http` that
 * sends and takes the same JSON; no database on either side. One process each, in turns, under the same load.
 * Run: `node bench/src/api.ts [seconds] [rounds]`.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { rateRules } from '@breakwater/contract/firewall/rate-rules.ts'
import { permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { makeApp } from '../../server/src/http/app.ts'
import { type Caller, implementOpen } from '../../server/src/http/implement.ts'
import { mount } from '../../server/src/http/mount.ts'
import { makeServices } from '../../server/src/services.ts'

/** A page of rate rules, and one to save: what the API answers and takes all day. */
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
  // Nothing is asked of either; the log is written as in service.
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
    // As many sessions as it takes to stay within the budget of each.
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
type Measured = { cpuUs: number; perSecond: number; p50: number; p99: number; p999: number }

async function start(side: 'api' | 'bare'): Promise<Side> {
  const child = fork(import.meta.filename, [side], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const port = await new Promise<number>((told) => child.once('message', (message) => told(message as number)))
  return { child, port }
}

const script = (method: 'GET' | 'POST') => `
wrk.method = '${method}'
wrk.headers['Authorization'] = 'Bearer bench'
${method === 'POST' ? `wrk.headers['Content-Type'] = 'application/json' wrk.body = [[${JSON.stringify(rule)}]]` : ''}
done = function(summary, latency)
  local e = summary.errors
  io.write(string.format('\\nRESULT {"requests":%d,"errors":%d,"us":%d,"p50":%.3f,"p99":%.3f,"p999":%.3f}\\n', summary.requests,
    e.connect + e.read + e.write + e.status + e.timeout, summary.duration,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, latency:percentile(99.9) / 1000))
end
`

/** CPU time of a process and all its threads, user and system, in µs. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}

async function measure(folder: string, { child, port }: Side, method: 'GET' | 'POST', seconds: number) {
  const file = join(folder, `${method}.lua`)
  writeFileSync(file, script(method))
  const before = cpuOf(child.pid!)
  const options = [
    '-t1',
    '-c16',
    `-d${seconds}s`,
    '-s',
    file,
    `http://127.0.0.1:${port}/api/v1/user/site/1/firewall/l7/secondRates`,
  ]
  const { stdout } = await promisify(execFile)('wrk', options)
  const cpu = cpuOf(child.pid!) - before
  const found = JSON.parse(/RESULT (\{.*\})/.exec(stdout)![1]!) as Measured & Record<string, number>
  if (found.errors! > 0) throw new Error(`${found.errors} of ${found.requests} calls failed`)
  return { ...found, cpuUs: cpu / found.requests!, perSecond: (found.requests! * 1e6) / found.us! }
}

function middle(rounds: readonly Measured[]): Measured {
  const of = (key: keyof Measured) => rounds.map((one) => one[key]).sort((a, b) => a - b)[rounds.length >> 1]!
  return { cpuUs: of('cpuUs'), perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), p999: of('p999') }
}

async function compare(seconds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-bench-'))
  const sides = { bare: await start('bare'), api: await start('api') }
  console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}`)
  for (const method of ['GET', 'POST'] as const) {
    const taken: Record<keyof typeof sides, Measured[]> = { bare: [], api: [] }
    for (const side of Object.values(sides)) await measure(folder, side, method, 2)
    for (let round = 0; round < rounds; round++) {
      for (const name of ['bare', 'api'] as const) taken[name].push(await measure(folder, sides[name], method, seconds))
    }
    const [bare, api] = [middle(taken.bare), middle(taken.api)]
    console.log(
      `${method}: ${(api.perSecond / bare.perSecond).toFixed(2)} of bare node's calls a second; CPU ${(api.cpuUs / bare.cpuUs).toFixed(2)} ×`,
    )
    for (const [name, one] of Object.entries({ bare, api }))
      console.log(
        `  ${name.padEnd(5)} ${one.cpuUs.toFixed(1).padStart(6)} µs  ${one.perSecond.toFixed(0).padStart(6)} a second  p50 ${one.p50.toFixed(2)}  p99 ${one.p99.toFixed(2)}  p99.9 ${one.p999.toFixed(2)} ms`,
      )
  }
  for (const { child } of Object.values(sides)) child.disconnect()
  rmSync(folder, { recursive: true })
}

const [first, second] = process.argv.slice(2)
if (first === 'api' || first === 'bare') {
  process.once('disconnect', () => process.exit())
  process.send!(await (first === 'api' ? serveApi() : serveBare()))
} else await compare(Number(first ?? 4), Number(second ?? 5))
