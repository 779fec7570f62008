/**
 * Tries a rule on logged requests: the guards that decide live, batch after batch, in a world of the run's own. Touches
 * no live counter. A run lives in the worker that its connection leads to.
 */
import type { BacktestBatch, BacktestVerdicts, backtestCodes } from '@breakwater/contract/edge/backtest.ts'
import { answerPath } from '../firewall/challenge.ts'
import type { EdgeRequest } from '../guard.ts'
import { decide, type Step } from '../guards.ts'
import { parseAddress } from '../lib/address.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { compiled } from '../sites/current.ts'
import { makeWorld, type World } from './backtest-world.ts'

const codes: typeof backtestCodes = { none: 0, matched: 1, block: 2, challenge: 3, passed: 4 }

type Run = { site: number; steps: Step[]; world: World; addresses: Record<string, string>; known: number; used: number }

const runs: Record<string, Run> = {}
const runsMax = 8
/** Seconds after which a run whose asker went away is forgotten. */
const idleMax = 60
const addressesKnownMax = 100_000
/** Seconds that a batch may take: whoever asks the lab next waits for it. What is not judged by then is left out. */
const batchSecondsMax = 2
/** Rows between two looks at the clock. */
const clockEvery = 16

function begin(batch: BacktestBatch): Run {
  const problem = problemOf(hash, batch.artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  let count = 0
  for (const name in runs) {
    if (ngx.now() - runs[name]!.used > idleMax) delete runs[name]
    else count++
  }
  if (count >= runsMax) throw new Error('too many back-tests at once')
  const { site, steps } = compiled(batch.artefact)
  const world = makeWorld(batch.guard === 'rateRules' ? `${batch.rule}` : '')
  const run: Run = { site, steps, world, addresses: {}, known: 0, used: 0 }
  runs[batch.run] = run
  return run
}

/** The bytes of an address. Visitors come again, and reading an address costs more than most guards. */
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

/** What the rule does with the request that the world is set to. */
function codeOf(run: Run, batch: BacktestBatch, request: EdgeRequest): number {
  const { world } = run
  world.isAsked = false
  const verdict = decide(run.steps, request, world.tools)
  if (verdict === undefined || verdict.guard !== batch.guard || verdict.rule !== batch.rule) {
    return world.isAsked ? codes.matched : codes.none
  }
  if (verdict.action === 'allow') return codes.matched
  const code = verdict.action === 'challenge' ? codes.challenge : codes.block
  return world.hasPassed(request) ? code + codes.passed : code
}

export function backtest(batch: BacktestBatch): BacktestVerdicts {
  const run = batch.isFirst ? begin(batch) : runs[batch.run]
  if (run === undefined) throw new Error('no such back-test')
  run.used = ngx.now()
  const { world } = run
  const [times, nodes, weights, methods, hosts, addresses, paths, queries, statuses, agents] = batch.columns
  const request: EdgeRequest = {
    site: run.site,
    method: '',
    host: '',
    path: '',
    query: '',
    addressBytes: '',
    time: 0,
    observed: undefined,
  }
  const told: string[] = []
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
      // Logged as nginx had made it: canonical already.
      request.path = paths[at]!
      request.query = queries[at]!
      request.addressBytes = bytesOf(run, addresses[at]!)
      request.observed = undefined
      world.now = request.time
      world.node = nodes[at]!
      world.weight = weights[at]!
      world.agent = agents[at]!
      if (request.path === answerPath && statuses[at] === 204) world.pass(request)
      told[at] = `${codeOf(run, batch, request)}`
      at++
    }
  }
  // A regular expression that gives up throws: its row is left out, the next ones are not.
  while (at < times.length) {
    const [ok] = pcall(go)
    if (ok) break
    told[at] = `${codes.none}`
    failed++
    at++
  }
  return { codes: told.join(''), failed }
}

export function endBacktest({ run }: { run: string }): object {
  delete runs[run]
  return {}
}
