/**
 * What one site can do to the others on its node: p99 of a hundred sites at a steady rate, beside a site at twenty times its
 * load, one with the worst rules that can be saved, and two that are flooded. Each is held against the same noise in the
 * same processors, taken by an nginx of its own: what differs is the node's doing, not the machine's, whose answers take
 * longer the more anybody computes. And against calm seconds: `calm again` says how far two such pieces differ by chance.
 * Many short rounds, of which the quieter half counts: what a machine does of its own only ever adds.
 * Run: `node bench/src/neighbours.ts [rounds] [seconds] [expression of noises]`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { cpuOf } from './edge/load.ts'
import { PlainNginx } from './edge/plain.ts'

const quietSites = 100
/** Asked before this process is kept to one of them. */
const processors = availableParallelism()
/** The others are those who ask. */
const ofNode = Math.max(1, processors - 1)
/** Requests a second of one site. */
const rate = 20
/** Of the loud site's visitors; of the others'. */
const [loudOnes, quietOnes] = [16, 64]
/** Half of them IPv6, each in a network of its own. */
const madeUp = `i % 2 == 0 and string.format('10.%d.%d.%d', i / 65536 % 256, i / 256 % 256, i % 256)
  or string.format('2001:db8:%x:%x::1', i / 65536 % 65536, i % 65536)`
/** Where the loud site's visitors ask, how often in a second, and what (Lua for wrk, `i` counts the requests). */
type Noise = { host: string; rate: number; path: string; address: string }
const loud: Record<string, Noise> = {
  'calm again': { host: 'loud.test', rate, path: "'/'", address: "'192.0.2.1'" },
  'twenty times its load': { host: 'loud.test', rate: 20 * rate, path: "'/'", address: "'192.0.2.1'" },
  'the worst rules': { host: 'worst.test', rate, path: "'/' .. string.rep('a', 8000)", address: "'192.0.2.1'" },
  'a flood of addresses': { host: 'flood.test', rate: 50 * rate, path: "'/'", address: madeUp },
  'a flood of addresses and URLs': { host: 'flood.test', rate: 50 * rate, path: "'/' .. i", address: madeUp },
}

/**
 * For wrk: asks at moments that have nothing to do with each other, `rate` a second. wrk's own delays end with the
 * milliseconds of the clock, in all its processes alike: a noise that kept to them would come at the very moment at which
 * the others ask, each time. Asleep it hears no answer, which is nothing to one who does not measure.
 */
const noise = ({ host, rate, path, address }: Noise): string => `
local ffi = require('ffi')
ffi.cdef('struct moment { long s, ns; }; int clock_gettime(int, struct moment *); int clock_nanosleep(int, int, const struct moment *, void *);')
local moment = ffi.new('struct moment')
local monotonic, absolute = 1, 1
ffi.C.clock_gettime(monotonic, moment)
local due = tonumber(moment.s) * 1e9 + tonumber(moment.ns)
local i = 0
function request()
  i = i + 1
  due = due - math.log(1 - math.random()) * ${1e9 / rate}
  moment.s, moment.ns = math.floor(due / 1e9), due % 1e9
  ffi.C.clock_nanosleep(monotonic, absolute, moment, nil)
  return wrk.format('GET', ${path}, { Host = '${host}', ['X-Forwarded-For'] = ${address} })
end
`

/** The others' visitors; tells how many answers took how many µs, and how many were no 200. */
const quiet = `
function delay()
  return math.floor(-math.log(1 - math.random()) * ${(1000 * quietOnes) / (quietSites * rate)})
end
local i = 0
function setup(thread)
  one = thread
  thread:set('failed', 0)
end
function request()
  i = i + 1
  return wrk.format('GET', '/', { Host = 'quiet' .. i % ${quietSites} .. '.test', ['X-Forwarded-For'] = '198.51.' .. i % 3 .. '.' .. i % 200 })
end
function response(status) if status ~= 200 then failed = failed + 1 end end
function done(summary, latency)
  local e = summary.errors
  io.write('\\nFAILED ', one:get('failed') + e.connect + e.read + e.write + e.timeout, '\\n')
  for i = 1, #latency do
    local us, count = latency(i)
    io.write('TOOK ', us, ' ', count, '\\n')
  end
end
`

await measure(Number(process.argv[2] ?? 16), Number(process.argv[3] ?? 1), process.argv[4] ?? '')

/** Of each round: how many answers took how many µs, and the processors that it took more. */
type Seen = { calm: Times[]; elsewhere: Times[]; noisy: Times[]; cpu: number[] }
type Times = [us: number, count: number][]
type Piece = { times: Times; share: number }

async function measure(rounds: number, seconds: number, only: string): Promise<void> {
  // What the others ask for is in the cache: their time is the node's, not that of an origin which all share here.
  const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'max-age=3600').end('hello'))
  const { box, visitors } = await start(origin.port)
  const plain = await PlainNginx.start(origin.port)
  const nothing = (): Seen => ({ calm: [], elsewhere: [], noisy: [], cpu: [] })
  const seen = new Map(
    Object.keys(loud).flatMap((name) => (new RegExp(only).test(name) ? [[name, nothing()] as const] : [])),
  )
  keepApart([...box.workers(), ...plain.workers()])
  const here = box.settings.httpPort
  await beside('calm again', here, box, 2)
  for (let round = 0; round < rounds; round++) {
    for (const [name, { calm, elsewhere, noisy, cpu }] of seen) {
      const without = await beside('calm again', here, box, seconds)
      const there = await beside(name, plain.port, box, seconds)
      const withIt = await beside(name, here, box, seconds)
      calm.push(without.times)
      elsewhere.push(there.times)
      noisy.push(withIt.times)
      cpu.push(withIt.share - without.share)
    }
  }
  console.log(
    `${cpus()[0]?.model}, ${processors} processors, ${ofNode} of them the node's, load ${loadavg()[0]?.toFixed(1)}; ${rounds} rounds of ${seconds} s`,
  )
  for (const [name, { calm, elsewhere, noisy, cpu }] of seen) {
    const at = (q: number) => {
      const [none, there, is] = [calm, elsewhere, noisy].map((rounds) => quieter(rounds.map((one) => quantile(one, q))))
      return `${(is! / there!).toFixed(2)} x (${is!.toFixed(3)} ms; taken elsewhere ${there!.toFixed(3)}, calm ${none!.toFixed(3)})`
    }
    const more = ((100 * sum(cpu)) / cpu.length).toFixed(1)
    console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, ${more} % of the node's processors more`)
  }
  let lost = 0
  for (const address of visitors)
    if ((await box.request('limited.test', '/', { headers: { 'x-forwarded-for': address } })).status !== 503) lost++
  console.log(`levels lost: ${lost} of ${visitors.length}`)
  await plain.end()
  await box.end()
  await origin.end()
}

/** Leaves all processors but one to the node, and that one to those who ask: visitors have machines of their own. */
function keepApart(workers: number[]): void {
  if (processors === 1) return
  const pin = (pid: number, to: string) => execFileSync('taskset', ['-a', '-c', '-p', to, `${pid}`])
  for (const pid of workers) pin(pid, `0-${ofNode - 1}`)
  pin(process.pid, `${ofNode}`)
}

/**
 * The others' answers while another process makes its noise at `port`, both in C: a sender that is itself heard would be
 * taken for the node. Tells the answers' times and the node's share of its processors.
 */
async function beside(name: string, port: number, box: Box, seconds: number): Promise<Piece> {
  const { folder, httpPort } = box.settings
  const wrk = (script: string, connections: number, duration: string, at: number) => {
    const file = join(folder, `${duration}.lua`)
    writeFileSync(file, script)
    const options = ['-t1', `-c${connections}`, `-d${duration}`, '-s', file, `http://127.0.0.1:${at}/`]
    return spawn('wrk', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  }
  const sender = wrk(noise(loud[name]!), loudOnes, '1h', port)
  await pause(300)
  const before = cpuOf(box.workers())
  const others = wrk(quiet, quietOnes, `${seconds}s`, httpPort)
  if (processors > 1) execFileSync('chrt', ['-a', '-r', '-p', '1', `${others.pid}`])
  const said = await text(others.stdout)
  const share = (cpuOf(box.workers()) - before) / 1e6 / seconds / ofNode
  const gone = once(sender, 'exit')
  sender.kill('SIGKILL')
  await gone
  const failed = /FAILED (\d+)/.exec(said)?.[1]
  if (failed !== '0') throw new Error(`${failed} answers of the quiet sites were no 200: ${said.slice(0, 500)}`)
  const times = [...said.matchAll(/TOOK (\d+) (\d+)/g)].map(([, us, count]): Times[0] => [Number(us), Number(count)])
  return { times, share }
}

/** The node: quiet sites with ordinary rules, the loud ones, and a site whose visitors have used up what a rule gives them. */
async function start(port: number) {
  const origins = [{ port }]
  const settings = { trustedProxies: ['127.0.0.0/8'] }
  const rule = { id: 1, urlRegex: '^/login', rate: 10, burst: 20, blockType: 2, mode: 'enforce' as const }
  const slow = { ...rule, urlRegex: '', rate: 0.001, burst: 2 }
  const worst = Array.from({ length: 200 }, (_, i) => ({
    ...{ ...rule, id: i + 1 },
    urlRegex: `a.*b.*c.*d.*e.*f.*g.*h.*i.*${i}`,
  }))
  const box = await Box.start({ workers: ofNode }, (disk) => {
    const add = (site: number, host: string, rateRules: (typeof rule)[]) =>
      disk.feed(disk.site({ site, hosts: [host], origins, settings, firewall: { rateRules } }))
    for (let i = 0; i < quietSites; i++) add(i + 1, `quiet${i}.test`, [rule])
    add(201, 'loud.test', [rule])
    add(202, 'worst.test', worst)
    add(203, 'flood.test', [slow])
    add(204, 'limited.test', [slow])
  })
  const visitors = Array.from({ length: 100 }, (_, i) => `203.0.113.${i + 1}`)
  for (const address of visitors)
    for (let i = 0; i < 4; i++) await box.request('limited.test', '/', { headers: { 'x-forwarded-for': address } })
  return { box, visitors }
}

/** In ms. */
function quantile(times: Times, q: number): number {
  let left = q * times.reduce((sum, [, count]) => sum + count, 0)
  for (const [us, count] of [...times].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return us / 1000
  }
  return 0
}

/** The mean of the lower half of the rounds: a machine that stands still in one of them says nothing of the node. */
function quieter(rounds: number[]): number {
  const half = rounds.sort((a, b) => a - b).slice(0, (rounds.length + 1) >> 1)
  return sum(half) / half.length
}

function sum(numbers: number[]): number {
  return numbers.reduce((all, one) => all + one, 0)
}
