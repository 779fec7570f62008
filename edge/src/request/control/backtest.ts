/**
 * Tests a rule on logged requests: with the guards that decide live, batch by batch, in a simulated world per run.
 * Touches no live counter. A run lives in the worker that handles its connection.
 */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { BacktestBatch, BacktestVerdicts, backtestCodes } from '@breakwater/contract/edge/backtest.ts'
import { decide, decideOnBody } from '../guards/guards.ts'
import { parseAddress } from '../lib/address.ts'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { type CompiledSite, stepsFor } from '../sites/compile.ts'
import { compiledSite } from '../sites/site-cache.ts'
import { makeWorld, type World } from './backtest-world.ts'

const codes: typeof backtestCodes = { none: 0, matched: 1, block: 2, challenge: 3, passed: 4, earlier: 8 }

type Run = {
  site: CompiledSite
  world: World
  /** The rule alone, in a world of its own, if the caller wants to know what is decided before it. */
  alone: CompiledSite | undefined
  aloneWorld: World
  addresses: Record<string, string>
  known: number
  used: number
}

const runs: Record<string, Run> = {}
const runsMax = 8
/** Seconds after which a run is dropped if its caller has gone. */
const idleMax = 60
const addressesKnownMax = 100_000
/**
 * Seconds that a batch may take, because the lab's next caller waits for it. Rows that are not judged by then are left
 * out.
 */
const batchSecondsMax = 2
/** Rows between two checks of the time. */
const clockEvery = 16

/** The key under which the guards count for the tested rule; '' if it counts nothing. */
function triedKey({ guard, rule }: BacktestBatch): string {
  if (guard === 'rateRules') return `${rule}`
  if (guard === 'antiCC') return `a${rule}`
  if (guard === 'luaAcls') return `acl${rule}`
  return guard === 'intervalRules' ? `i${rule}` : ''
}

function begin(batch: BacktestBatch): Run {
  const problem = problemOf(hash, batch.artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  let count = 0
  for (const name in runs) {
    if (ngx.now() - runs[name]!.used > idleMax) delete runs[name]
    else count++
  }
  if (count >= runsMax) throw new Error('too many back-tests at once')
  const site = compiledSite(batch.artefact)
  const alone = batch.alone === undefined ? undefined : compiledSite(batch.alone)
  const tried = triedKey(batch)
  const worlds = { world: makeWorld(tried), aloneWorld: makeWorld(tried) }
  const run: Run = { site, alone, ...worlds, addresses: {}, known: 0, used: 0 }
  runs[batch.run] = run
  return run
}

/** The bytes of an address. Cached, because visitors return and parsing an address costs more than most guards. */
function bytesOf(run: Run, address: string): string {
  const known = run.addresses[address]
  if (known !== undefined) return known
  const bytes = parseAddress(address) ?? '\0\0\0\0'
  if (run.known >= addressesKnownMax) {
    run.addresses = {}
    run.known = 0
  }
  run.addresses[address] = bytes
  run.known++
  return bytes
}

function verdictOf(site: CompiledSite, request: EdgeRequest, { tools }: World): Verdict | undefined {
  const steps = stepsFor(site, request.host)
  return decide(steps, request, tools) ?? decideOnBody(steps, request, tools)
}

/** Whether the rule matches a request, even if another rule decides on it. */
function speaksOf(run: Run, batch: BacktestBatch, request: EdgeRequest): boolean {
  if (run.alone === undefined) return false
  const world = run.aloneWorld
  world.now = run.world.now
  world.node = run.world.node
  world.weight = run.world.weight
  world.agent = run.world.agent
  world.country = run.world.country
  world.score = run.world.score
  world.userAgent = run.world.userAgent
  world.referer = run.world.referer
  world.asn = run.world.asn
  world.bot = run.world.bot
  world.isAsked = false
  const verdict = verdictOf(run.alone, request, world)
  return world.isAsked || (verdict !== undefined && verdict.guard === batch.guard && verdict.rule === batch.rule)
}

/** Counts a request for the rule that decided on it first. */
function countEarlier(earlier: BacktestVerdicts['earlier'], verdict: Verdict, requests: number): void {
  const key = `${verdict.guard} ${verdict.rule}`
  const isAllowed = verdict.action === 'allow'
  earlier[key] ??= { guard: verdict.guard, rule: verdict.rule, isAllowed, requests: 0 }
  earlier[key]!.requests += requests
}

/** What the rule does with the request of the current row. */
function codeOf(run: Run, batch: BacktestBatch, request: EdgeRequest, earlier: BacktestVerdicts['earlier']): number {
  const { world } = run
  world.isAsked = false
  const verdict = verdictOf(run.site, request, world)
  if (verdict === undefined || verdict.guard !== batch.guard || verdict.rule !== batch.rule) {
    if (world.isAsked) return codes.matched
    if (verdict === undefined || !speaksOf(run, batch, request)) return codes.none
    countEarlier(earlier, verdict, world.weight)
    return codes.earlier
  }
  if (verdict.action === 'allow') return codes.matched
  const code = verdict.action === 'challenge' ? codes.challenge : codes.block
  return world.hasPassed(request) ? code + codes.passed : code
}

export function backtest(batch: BacktestBatch): BacktestVerdicts {
  // Reading such a large request took time, which does not count for the batch.
  ngx.update_time()
  const run = batch.isFirst ? begin(batch) : runs[batch.run]
  if (run === undefined) throw new Error('no such back-test')
  run.used = ngx.now()
  const { world } = run
  const scores: Record<string, number> = batch.scores ?? {}
  const [
    times,
    nodes,
    weights,
    methods,
    hosts,
    addresses,
    paths,
    queries,
    statuses,
    agents,
    countries,
    userAgents,
    referers,
    asns,
    bots,
  ] = batch.columns
  const request: EdgeRequest = {
    site: run.site.site,
    method: '',
    host: '',
    path: '',
    otherPaths: undefined,
    query: '',
    addressBytes: '',
    time: 0,
    observed: undefined,
    acted: undefined,
    score: 0,
    waf: undefined,
    detail: undefined,
    wafShadow: undefined,
    skipped: undefined,
    headers: undefined,
  }
  const told: string[] = []
  const earlier: BacktestVerdicts['earlier'] = {}
  let at = 0
  let failed = 0
  const end = run.used + batchSecondsMax

  const go = (): void => {
    while (at < times.length) {
      if (at % clockEvery === 0) {
        ngx.update_time()
        if (ngx.now() > end) return
      }
      request.time = times[at]!
      request.method = methods[at]!
      request.host = hosts[at]!
      // Logged in the form that nginx made of it, so it is already canonical.
      request.path = paths[at]!
      request.query = queries[at]!
      request.addressBytes = bytesOf(run, addresses[at]!)
      request.observed = undefined
      request.acted = undefined
      request.skipped = undefined
      request.headers = undefined
      world.now = request.time
      world.node = nodes[at]!
      world.weight = weights[at]!
      world.agent = agents[at]!
      world.country = countries[at]!
      world.score = scores[addresses[at]!] ?? 0
      world.userAgent = userAgents[at]!
      world.referer = referers[at]!
      world.asn = asns[at]!
      world.bot = bots[at]!
      if (request.path === answerPath && statuses[at] === 204) world.pass(request)
      told[at] = `${codeOf(run, batch, request, earlier)}`
      at++
    }
  }
  // A regular expression that gives up throws: only its row is left out, not the following ones.
  while (at < times.length) {
    const [ok] = pcall(go)
    if (ok) break
    told[at] = `${codes.none}`
    failed++
    at++
  }
  return { codes: told.join(''), failed, earlier }
}

export function endBacktest({ run }: { run: string }): object {
  delete runs[run]
  return {}
}
