/**
 * What one site can do to the others on its node: p99 of twenty sites at a steady rate, alone and beside a site at twenty
 * times its load, one with the worst rules that can be saved, and one flooding made-up addresses. Every case is held
 * against the calm seconds just before it; `calm again` says how far two calm pieces differ by themselves.
 * Run: `node bench/src/neighbours.ts [rounds] [seconds]`.
 */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { v4, v6 } from '../../tests/faults/flood.ts'

const quietSites = 20
/** Asked before this process is kept to one of them. */
const processors = availableParallelism()
/** The others are those who ask. */
const ofNode = Math.max(1, processors - 1)
/** Requests a second of one site. */
const rate = 20
const loud: Record<
  string,
  { host: string; rate: number; path: (i: number) => string; address: (i: number) => string }
> = {
  'calm again': { host: 'loud.test', rate, path: () => '/', address: () => '192.0.2.1' },
  'twenty times its load': { host: 'loud.test', rate: 20 * rate, path: () => '/', address: () => '192.0.2.1' },
  'the worst rules': { host: 'worst.test', rate, path: () => `/${'a'.repeat(8000)}`, address: () => '192.0.2.1' },
  'a flood of addresses': {
    host: 'flood.test',
    rate: 50 * rate,
    path: (i) => `/${i}`,
    address: (i) => (i % 2 === 0 ? v4(i) : v6(i)),
  },
}

/** Sends at a steady rate whatever the answers take, and tells each one's time since it was due or sent, in ms. */
async function steadily(perSecond: number, ms: number, send: (i: number) => Promise<void>): Promise<number[]> {
  const took: number[] = []
  const asked: Promise<void>[] = []
  const began = performance.now()
  for (let i = 0; ; i++) {
    const due = began + (i * 1000) / perSecond
    if (due > began + ms) break
    const early = due - performance.now()
    if (early > 1) await pause(early)
    const from = Math.min(due, performance.now())
    asked.push(send(i).then(() => void took.push(performance.now() - from)))
  }
  await Promise.all(asked)
  return took
}

function get(agent: Agent, port: number, host: string, path: string, address: string): Promise<number> {
  return new Promise((done, failed) => {
    const headers = { host, 'x-forwarded-for': address }
    const outgoing = request({ host: '127.0.0.1', port, path, headers, agent }, (reply) => {
      reply.resume().on('end', () => done(reply.statusCode ?? 0))
    })
    outgoing.on('error', failed).end()
  })
}

const [first, ...more] = process.argv.slice(2)
if (first === 'loud') await makeNoise(more[0] ?? '', Number(more[1]))
else await measure(Number(first ?? 3), Number(more[0] ?? 8))

/** The loud site's visitors, in a process of their own until they are ended. */
async function makeNoise(name: string, port: number): Promise<void> {
  const asked = loud[name]
  if (!asked) throw new Error(`no case ${name}`)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  await steadily(asked.rate, 3_600_000, async (i) => {
    await get(agent, port, asked.host, asked.path(i), asked.address(i))
  })
}

/** Times of all rounds, in ms, and the processors that each round took more. */
type Seen = { calm: number[]; noisy: number[]; cpu: number[] }

async function measure(rounds: number, seconds: number): Promise<void> {
  const origin = await StubOrigin.start()
  const { box, visitors } = await start(origin.port)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { httpPort } = box.settings
  const quiet = () =>
    steadily(quietSites * rate, seconds * 1000, async (i) => {
      const status = await get(agent, httpPort, `quiet${i % quietSites}.test`, '/', `198.51.100.${i % 200}`)
      if (status !== 200) throw new Error(`a quiet site answered ${status}`)
    })
  const seen = new Map(Object.keys(loud).map((name) => [name, { calm: [], noisy: [], cpu: [] } as Seen]))
  keepApart(box.workers())
  await quiet()
  for (let round = 0; round < rounds; round++) {
    for (const name of Object.keys(loud)) {
      const before = cpuSeconds(box.workers())
      const calm = await beside('calm again', httpPort, quiet)
      const between = cpuSeconds(box.workers())
      const noisy = await beside(name, httpPort, quiet)
      const cpu = (cpuSeconds(box.workers()) - between - (between - before)) / seconds / ofNode
      seen.get(name)!.calm.push(...calm)
      seen.get(name)!.noisy.push(...noisy)
      seen.get(name)!.cpu.push(cpu)
    }
  }
  console.log(
    `${cpus()[0]?.model}, ${processors} processors, ${ofNode} of them the node's, load ${loadavg()[0]?.toFixed(1)}; ${rounds} rounds of ${seconds} s`,
  )
  for (const [name, { calm, noisy, cpu }] of seen) {
    const at = (q: number) => {
      const [was, is] = [quantile(calm, q), quantile(noisy, q)]
      return `${(is / was).toFixed(2)} x (${was.toFixed(2)} ms calm, ${is.toFixed(2)} ms beside it)`
    }
    const more = (100 * quantile(cpu, 0.5)).toFixed(1)
    console.log(`${name}: p50 ${at(0.5)}, p99 ${at(0.99)}, ${more} % of the node's processors more`)
  }
  let lost = 0
  for (const address of visitors) if ((await get(agent, httpPort, 'limited.test', '/', address)) !== 503) lost++
  console.log(`levels lost: ${lost} of ${visitors.length}`)
  agent.destroy()
  await box.end()
  await origin.end()
}

/** Leaves all processors but one to the node, and that one to those who ask: visitors have machines of their own. */
function keepApart(workers: number[]): void {
  if (processors === 1) return
  const pin = (pid: number, to: string) => execFileSync('taskset', ['-a', '-c', '-p', to, `${pid}`])
  for (const pid of workers) pin(pid, `0-${ofNode - 1}`)
  pin(process.pid, `${ofNode}`)
  // The one who takes the time is never kept waiting by the one who makes the noise.
  execFileSync('chrt', ['-a', '-r', '-p', '1', `${process.pid}`])
}

/** Measures while another process makes its noise. */
async function beside(name: string, port: number, run: () => Promise<number[]>): Promise<number[]> {
  const child: ChildProcess = fork(import.meta.filename, ['loud', name, String(port)], { stdio: 'ignore' })
  execFileSync('chrt', ['-a', '-o', '-p', '0', `${child.pid}`])
  await pause(700)
  const took = await run()
  const gone = new Promise((done) => child.once('exit', done))
  child.kill()
  await gone
  return took
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
    add(101, 'loud.test', [rule])
    add(102, 'worst.test', worst)
    add(103, 'flood.test', [slow])
    add(104, 'limited.test', [slow])
  })
  const visitors = Array.from({ length: 100 }, (_, i) => `203.0.113.${i + 1}`)
  const agent = new Agent({ keepAlive: true })
  for (const address of visitors)
    for (let i = 0; i < 4; i++) await get(agent, box.settings.httpPort, 'limited.test', '/', address)
  agent.destroy()
  return { box, visitors }
}

/** The processor time that processes have had so far. */
function cpuSeconds(pids: number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, one) => sum + one, 0) / 100
}

function quantile(values: number[], q: number): number {
  return [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? 0
}
