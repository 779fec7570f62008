/**
 * How much one site can affect the others on its node: p99 of a hundred sites at a steady rate, next to a site with
 * twenty times its load, one with the worst rules that can be saved, one whose passwords are being guessed, one whose
 * WAF receives forms of 40 KB that exercise every decoder, and two that are flooded. Each is compared with the same
 * noise on the same CPUs sent to a separate nginx: the difference is the node's doing and not the machine's, whose
 * responses slow down with any load. And with calm: `calm again` shows how far two such measurements differ by chance.
 *
 * The quiet sites are loaded all the time. The noise switches every quarter of a second (slow rules: every 6 s) between
 * nobody, the other nginx and the node, so that disturbances of the machine itself affect all three alike. Moments at
 * which a CPU was stalled, as those of a virtual machine are while its host is busy elsewhere, are left out: a watcher
 * on each CPU, with real-time priority above everything else, detects that it is woken late. The ratio is the median of
 * the rounds' ratios, with its 95 % confidence interval; the times next to it are of all rounds together.
 * Run: `node bench/src/noisy-neighbour.ts [rounds] [seconds of a round] [regular expression of noises]`.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import { Box } from '../../edge/box/harness.ts'
import { StubOrigin } from '../../edge/box/origin.ts'
import { givePrefilter } from '../../edge/box/prefilter.ts'
import { coreRuleSet } from '../../server/src/waf/core-rule-set.ts'
import {
  addresses,
  long,
  type Noise,
  noise,
  type Phase,
  type PhaseTiming,
  phaseAt,
  phases,
  quiet,
  quietOnes,
  quietSites,
  rate,
  short,
  stillness,
  watcher,
} from './edge/load-phases.ts'
import './edge/wrk.ts'
import { besideEachOther, quantile } from './edge/paired.ts'
import { PlainNginx } from './edge/plain.ts'
import { cpuOf, isWorker } from './edge/workers.ts'

/** Read before this process is pinned to one of them. */
const processors = availableParallelism()
/** The remaining CPU runs the load generators. */
const ofNode = Math.max(1, processors - 1)
/** Number of connections of the loud site's visitors. */
const loudOnes = 16
/** Half of them are IPv6, each in a network of its own. */
const madeUp = `i % 2 == 0 and string.format('10.%d.%d.%d', i / 65536 % 256, i / 256 % 256, i % 256)
  or string.format('2001:db8:%x:%x::1', i / 65536 % 65536, i % 65536)`
const loud: Record<string, Noise> = {
  'calm again': { host: 'quiet1.test', rate: 1, path: "'/'", address: "'192.0.2.1'", timing: short },
  'twenty times its load': { host: 'loud.test', rate: 20 * rate, path: "'/'", address: "'192.0.2.1'", timing: short },
  'the worst rules': {
    host: 'worst.test',
    rate,
    path: "'/' .. string.rep('a', 8000)",
    address: "'192.0.2.1'",
    timing: long,
  },
  'a flood of addresses': { host: 'flood.test', rate: 50 * rate, path: "'/'", address: madeUp, timing: short },
  'tries of passwords': {
    ...{ host: 'staff.test', rate, path: "'/'", address: `string.format('10.9.%d.%d', i / 256 % 256, i % 256)` },
    // Different credentials each time: base64 of a user name and of a wrong password.
    authorization: "'Basic YWxpY2U6' .. string.format('%08d', i)",
    timing: short,
  },
  'bytes for decoders': {
    ...{ host: 'shop.test', rate, path: "'/form'", address: "'192.0.2.1'" },
    // Different bytes each time, as repeated ones are cached.
    form: `'text=' .. string.rep('%2525u003c%26%23x3c%3b%5cu003C%5cx3c' .. i .. '%2f*%2b*%2f', 750)`,
    timing: short,
  },
  'a flood of addresses and URLs': {
    host: 'flood.test',
    rate: 50 * rate,
    path: "'/' .. i",
    address: madeUp,
    timing: short,
  },
}

/** A site that requires a password everywhere. Its hash costs as much as one that the API creates. */
const salt = randomBytes(16)
const { n: N, r, p, bytes } = passwordCost
const hash = scryptSync('correct horse', salt, bytes, { N, r, p })
const staff = {
  rules: [
    {
      ...{ id: 10, urlRegex: '', mode: 'enforce' as const, type: 'basic' as const, group: 'authGroup-1@1' },
      ...{ realm: 'staff', forward: false },
    },
  ],
  groups: {
    'authGroup-1@1': { 1: { name: 'alice', salt: salt.toString('base64'), hash: hash.toString('base64') } },
  },
}

await measure(Number(process.argv[2] ?? 10), Number(process.argv[3] ?? 12), process.argv[4] ?? '')

/** In ms. */
type Times = number[]
/** One round: latencies per phase, the share of the node's CPUs that was used, and how many responses were left out. */
type Round = Record<Phase, Times> & { shares: Record<Phase, number>; leftOut: Record<Phase, number> }

async function measure(rounds: number, seconds: number, only: string): Promise<void> {
  // The quiet sites' content is cached: their latency is the node's, not that of an origin that all sites share here.
  await using ends = new AsyncDisposableStack()
  const origin = await StubOrigin.start((_, reply) => reply.setHeader('cache-control', 'max-age=3600').end('hello'))
  ends.defer(() => origin.end())
  const { box, visitors } = await start(origin.port)
  ends.defer(() => box.end())
  const plain = await PlainNginx.start(origin.port)
  ends.defer(() => plain.end())
  keepApart([...box.workers(), ...plain.workers()])
  const awake = keepAwake()
  ends.defer(() => {
    for (const one of awake) one.kill('SIGKILL')
  })
  const said = [`${rounds} rounds of ${seconds} s`]
  for (const name of Object.keys(loud).filter((name) => new RegExp(only).test(name))) {
    await useUp(loud[name]!, box, plain.port)
    const seen: Round[] = []
    for (let round = 0; round < rounds; round++) seen.push(await beside(loud[name]!, box, plain.port, seconds))
    said.push(tell(name, seen))
  }
  console.log(
    `${cpus()[0]?.model}, ${processors} processors, ${ofNode} of them the node's, load ${loadavg()[0]?.toFixed(1)}`,
  )
  console.log(said.join('\n'))
  let lost = 0
  for (const address of visitors)
    if ((await box.request('limited.test', '/', { headers: { 'x-forwarded-for': address } })).status !== 503) lost++
  console.log(`levels lost: ${lost} of ${visitors.length}`)
}

/** Gives the node all CPUs but one, and that one to the load generators: real visitors have machines of their own. */
function keepApart(workers: number[]): void {
  if (processors === 1) return
  const pin = (pid: number, to: string) => execFileSync('taskset', ['-a', '-c', '-p', to, `${pid}`])
  for (const pid of workers) pin(pid, `0-${ofNode - 1}`)
  pin(process.pid, `${ofNode}`)
}

/**
 * Keeps each CPU busy at the lowest priority: an idle CPU of a virtual machine wakes up only when its host schedules
 * it.
 */
function keepAwake(): ChildProcess[] {
  // Ends by itself with this process.
  const work = `while kill -0 ${process.pid} 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done`
  const on = (processor: number) =>
    spawn('chrt', ['-i', '0', 'taskset', '-c', `${processor}`, 'sh', '-c', work], { stdio: 'inherit' })
  return Array.from({ length: processors }, (_, processor) => on(processor))
}

type Wrk = { folder: string; name: string; script: string; connections: number; threads: number; duration: string }

/** Starts wrk; `rank` is a command prefix that sets its scheduling class and priority. */
function wrk({ folder, name, script, connections, threads, duration }: Wrk, port: number, rank: string[] = []) {
  const file = join(folder, `${name}.lua`)
  writeFileSync(file, script)
  const options = [`-t${threads}`, `-c${connections}`, `-d${duration}`, '-s', file, `http://127.0.0.1:${port}/`]
  const [command = '', ...args] = [...rank, 'wrk', ...options]
  return spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

/**
 * Sends requests from every address of the noise until they have used up what the rate rule allows: the refusals are
 * what is measured.
 */
async function useUp(noisy: Noise, box: Box, plainPort: number): Promise<void> {
  if (noisy.address !== madeUp) return
  const { folder, httpPort } = box.settings
  for (const port of [httpPort, plainPort]) {
    const script = noise({ ...noisy, rate: 5 * addresses })
    const sender = wrk({ folder, name: 'use-up', script, connections: loudOnes, threads: 1, duration: '5s' }, port)
    await text(sender.stdout)
  }
}

/**
 * The quiet sites' latencies while two more processes make the noise in turns, all in C: a sender that itself disturbed
 * the measurement would be mistaken for the node.
 */
async function beside(noisy: Noise, box: Box, plainPort: number, roundSeconds: number): Promise<Round> {
  const { folder, httpPort } = box.settings
  const seconds = Math.max(roundSeconds, (2 * phases.length * noisy.timing.phaseMs) / 1000)
  const send = (phase: Phase, port: number) => {
    const script = noise(noisy, phase)
    return wrk({ folder, name: phase, script, connections: loudOnes, threads: 1, duration: '1h' }, port)
  }
  const watchers = Array.from({ length: processors }, (_, processor) => {
    const rank = ['chrt', '-f', '2', 'taskset', '-c', `${processor}`]
    return wrk({ folder, name: 'watcher', script: watcher, connections: 1, threads: 1, duration: '1h' }, httpPort, rank)
  })
  const stills = watchers.map((one) => text(one.stdout))
  const senders = [send('elsewhere', plainPort), send('here', httpPort)]
  const rank = processors > 1 ? ['chrt', '-r', '1'] : []
  const all = {
    folder,
    name: 'quiet',
    script: quiet(noisy.timing),
    connections: quietOnes,
    threads: quietOnes,
    duration: `${seconds}s`,
  }
  const others = wrk(all, httpPort, rank)
  const heard = text(others.stdout)
  const shares = await sharesUntil(heard, box.workers().filter(isWorker), noisy.timing)
  const said = await heard
  const helpers = [...senders, ...watchers]
  const gone = helpers.map((one) => once(one, 'exit'))
  for (const one of helpers) one.kill('SIGKILL')
  await Promise.all(gone)
  const failed = /FAILED (\d+)/.exec(said)?.[1]
  if (failed !== '0') throw new Error(`${failed} answers of the quiet sites were no 200: ${said.slice(0, 500)}`)
  const none = () => ({ nobody: 0, elsewhere: 0, here: 0 })
  const round: Round = { nobody: [], elsewhere: [], here: [], shares, leftOut: none() }
  const isStill = stillness((await Promise.all(stills)).join(''))
  for (const [, number, us, at] of said.matchAll(/TOOK (\d) (\d+) ([\d.]+)/g)) {
    const [phase, ms] = [phases[Number(number) - 1]!, Number(us) / 1000]
    if (isStill(Number(at), Number(at) + ms)) round.leftOut[phase]++
    else round[phase].push(ms)
  }
  return round
}

/** The share of the CPUs that the workers use in each phase, sampled at the end of each. */
async function sharesUntil(
  end: Promise<unknown>,
  workers: number[],
  timing: PhaseTiming,
): Promise<Record<Phase, number>> {
  const took = { nobody: 0, elsewhere: 0, here: 0 }
  const lasted = { nobody: 0, elsewhere: 0, here: 0 }
  const nowMs = () => Number(process.hrtime.bigint()) / 1e6
  let over = false
  void end.finally(() => {
    over = true
  })
  for (let at = nowMs(), before = cpuOf(workers); !over; ) {
    await new Promise((done) => setTimeout(done, timing.phaseMs - (nowMs() % timing.phaseMs)))
    const [now, cpu] = [nowMs(), cpuOf(workers)]
    const phase = phaseAt((at + now) / 2, timing)
    took[phase] += (cpu - before) / 1000
    lasted[phase] += now - at
    at = now
    before = cpu
  }
  const share = (phase: Phase) => took[phase] / lasted[phase] / ofNode
  return { nobody: share('nobody'), elsewhere: share('elsewhere'), here: share('here') }
}

/**
 * The node: quiet sites with ordinary rules, the loud ones, and a site whose visitors have used up their rate limit.
 */
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
    const waf = { rules: coreRuleSet().part, module: { overBudget: 'pass' as const } }
    disk.feed(disk.site({ site: 206, hosts: ['shop.test'], origins, settings, requires: ['waf'], waf }))
    disk.feed(disk.site({ site: 205, hosts: ['staff.test'], origins, settings, requires: ['authRules'], auth: staff }))
  })
  await box.request('shop.test', '/')
  await givePrefilter(box)
  const visitors = Array.from({ length: 100 }, (_, i) => `203.0.113.${i + 1}`)
  for (const address of visitors)
    for (let i = 0; i < 4; i++) await box.request('limited.test', '/', { headers: { 'x-forwarded-for': address } })
  return { box, visitors }
}

function tell(name: string, rounds: Round[]): string {
  const at = (q: number) => {
    const of = (phase: Phase) => rounds.map((round) => quantile(round[phase], q))
    const ratio = (phase: Phase) => besideEachOther(of('here'), of(phase))
    const ms = (phase: Phase) =>
      quantile(
        rounds.flatMap((round) => round[phase]),
        q,
      ).toFixed(3)
    return `${ratio('elsewhere')} of elsewhere, ${ratio('nobody')} of calm (${ms('here')} ms; elsewhere ${ms('elsewhere')}, calm ${ms('nobody')})`
  }
  const more = rounds.reduce((sum, { shares }) => sum + shares.here - shares.nobody, 0) / rounds.length
  const calm = rounds.reduce((sum, { shares }) => sum + shares.nobody, 0) / rounds.length
  const leftOut = phases.map((phase) => {
    const all = rounds.reduce((sum, round) => sum + round.leftOut[phase] + round[phase].length, 0)
    return ((100 * rounds.reduce((sum, round) => sum + round.leftOut[phase], 0)) / all).toFixed(1)
  })
  return [
    `${name}: ${(100 * more).toFixed(1)} % of the node's processors more than ${(100 * calm).toFixed(1)} %`,
    ...[0.5, 0.99, 0.999].map((q) => `  p${100 * q} ${at(q)}`),
    `  left out: ${leftOut.join(', ')} % (${phases.join(', ')})`,
  ].join('\n')
}
