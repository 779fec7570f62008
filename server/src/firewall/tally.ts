/** Counts what a rule would have done with logged requests, slice by slice. */
import { type BacktestVerdicts, backtestCodes } from '@breakwater/contract/edge/backtest.ts'
import type { Backtest } from '@breakwater/contract/firewall/backtest.ts'
import type { TriedKind } from '@breakwater/contract/firewall/kinds.ts'
import type { LoggedColumns } from './logged-traffic.ts'

type Counted = Pick<
  Backtest,
  | 'requests'
  | 'matched'
  | 'would'
  | 'earlier'
  | 'earlierBy'
  | 'addresses'
  | 'topAddresses'
  | 'topPaths'
  | 'alreadyRefused'
  | 'passedChallenge'
  | 'failed'
  | 'series'
  | 'examples'
> & { rows: number }

export type Tally = {
  /** `factor` is how many rows each row counts for, in addition to its weight. */
  add: (columns: LoggedColumns, verdicts: BacktestVerdicts, factor: number) => void
  /** The counts, with each hour that overlaps the span. Times are epoch milliseconds. */
  result: (fromMs: number, toMs: number) => Counted
}

const topMax = 10
const examplesMax = 5
/** A flood of random paths must not exhaust memory: later ones are not ranked. */
const pathsMax = 50_000
const hourMs = 3_600_000

const outcomes = { 1: 'pass', 2: 'block', 3: 'challenge' } as const

/** A firewall rule or a rule of the Lua ACL. */
export type TriedGuard = TriedKind | 'luaAcls'

/** `isAllow`: whether the rule acts by letting requests pass. */
export function makeTally(isAllow: boolean): Tally {
  const sums = { rows: 0, requests: 0, matched: 0, earlier: 0, alreadyRefused: 0, passedChallenge: 0, failed: 0 }
  const would = { block: 0, challenge: 0 }
  const decided = new Map<string, Backtest['earlierBy'][number]>()
  const addresses = new Map<string, number>()
  const paths = new Map<string, number>()
  const hours = new Map<number, { requests: number; matched: number; refused: number }>()
  const examples: Backtest['examples'] = []

  function hourOf(ms: number) {
    const start = Math.floor(ms / hourMs) * hourMs
    let hour = hours.get(start)
    if (!hour) {
      hour = { requests: 0, matched: 0, refused: 0 }
      hours.set(start, hour)
    }
    return hour
  }

  function add(columns: LoggedColumns, verdicts: BacktestVerdicts, factor: number): void {
    const [times, , weights, methods, hosts, shown, requested, , statuses, , , , , , , actions] = columns
    sums.failed += verdicts.failed * factor
    for (const [key, { requests, ...by }] of Object.entries(verdicts.earlier)) {
      decided.set(key, { ...by, requests: (decided.get(key)?.requests ?? 0) + requests * factor })
    }
    for (let i = 0; i < verdicts.codes.length; i++) {
      const weight = weights[i]! * factor
      const code = verdicts.codes.charCodeAt(i) - 48
      const hour = hourOf(times[i]! * 1000)
      sums.rows += 1
      sums.requests += weight
      hour.requests += weight
      if (code === backtestCodes.none) continue
      if (code === backtestCodes.earlier) {
        sums.earlier += weight
        continue
      }
      const outcome = (code % backtestCodes.passed) as keyof typeof outcomes
      const isRefused = outcome !== backtestCodes.matched
      sums.matched += weight
      hour.matched += weight
      if (isRefused) {
        hour.refused += weight
        would[outcome === backtestCodes.block ? 'block' : 'challenge'] += weight
        if (code > backtestCodes.passed) sums.passedChallenge += weight
      } else if (!isAllow) continue
      const action = actions[i]!
      const address = shown[i]!
      const path = `${hosts[i]}${requested[i]}`
      if (action === 'block' || action === 'challenge') sums.alreadyRefused += weight
      const before = addresses.get(address)
      addresses.set(address, (before ?? 0) + weight)
      if (paths.size < pathsMax || paths.has(path)) paths.set(path, (paths.get(path) ?? 0) + weight)
      if (before !== undefined || examples.length >= examplesMax) continue
      const time = new Date(times[i]! * 1000).toISOString()
      const row = { time, address, method: methods[i]!, host: hosts[i]!, path: requested[i]! }
      examples.push({ ...row, status: statuses[i]!, action, would: outcomes[outcome] })
    }
  }

  function result(fromMs: number, toMs: number): Counted {
    for (let at = Math.floor(fromMs / hourMs) * hourMs; at < toMs; at += hourMs) hourOf(at)
    const series = [...hours].sort(([a], [b]) => a - b)
    return {
      ...whole(sums),
      would: whole(would),
      earlierBy: [...decided.values()]
        .sort((one, other) => other.requests - one.requests)
        .slice(0, topMax)
        .map((by) => ({ ...by, requests: Math.round(by.requests) })),
      addresses: addresses.size,
      topAddresses: top(addresses),
      topPaths: top(paths),
      series: series.map(([start, hour]) => ({ time: new Date(start).toISOString(), ...whole(hour) })),
      examples,
    }
  }
  return { add, result }
}

function top(counted: Map<string, number>): { name: string; requests: number }[] {
  const ranked = [...counted].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
  return ranked.slice(0, topMax).map(([name, requests]) => ({ name, requests: Math.round(requests) }))
}

/** Rounds the counts, which are fractions if rows were sampled. */
function whole<T extends Record<string, number>>(counts: T): T {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Math.round(count)])) as T
}
