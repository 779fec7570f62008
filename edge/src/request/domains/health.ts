/** What this node knows about the health of origins, shared by all its workers. */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import type { Origin } from './origins.ts'

/** How origins answer, and traces of requests; may be evicted. */
const manners = ngx.shared.peers!
/** By `f` failures, `r` rests, `p` running probes, `s` checks in a row, `c` why it is down, plus the origin's key. */
const dict = ngx.shared.origins!

/** So many failures in so many seconds make an origin rest; each rest that ends in a failure doubles the next. */
const failuresMax = 2
const windowSeconds = 10
const restLeast = 10
const restMost = 60
/** How many seconds a rest is remembered. */
const memorySeconds = 600
/** After so many seconds without a result, another request may probe. */
const probeSeconds = 15
/** At most so many entries are read to report the state of all origins. */
const statesMax = 5000

let probed: Origin | undefined

/**
 * Whether an origin is skipped. After its rest, a single request probes it, which gets the origin from `takeProbe`;
 * others follow once that request was answered.
 */
export function isDown(origin: Origin): boolean {
  const { key } = origin
  const [until] = dict.get(`r${key}`)
  if (until !== undefined) {
    if ((until as number) > ngx.now()) return true
    // Backups are used only if no other origin is left.
    if (!origin.backup) {
      const [isOurs] = dict.add(`p${key}`, 1, probeSeconds)
      if (isOurs) probed = origin
      return true
    }
  }
  return origin.isChecked && dict.get(`c${key}`)[0] !== undefined
}

/** The origin that the request whose origins were just ordered should probe. */
export function takeProbe(): Origin | undefined {
  const found = probed
  probed = undefined
  return found
}

/** Records a failure, by the origin's key. */
export function failed(key: string): void {
  const [rested, seconds] = dict.get(`r${key}`)
  if (rested !== undefined) {
    // Requests that were in progress when the rest began add no information.
    if ((rested as number) <= ngx.now()) rest(key, math.min((seconds ?? restLeast) * 2, restMost))
    return
  }
  const [failures] = dict.incr(`f${key}`, 1, 0, windowSeconds)
  if ((failures ?? 0) >= failuresMax) rest(key, restLeast)
}

function rest(key: string, seconds: number): void {
  dict.set(`r${key}`, ngx.now() + seconds, memorySeconds, seconds)
  dict.delete(`p${key}`)
}

/** Records an answer, by the origin's key: the origin is used like all others again. */
export function succeeded(key: string): void {
  const [rested] = dict.get(`r${key}`)
  if (rested === undefined) return
  dict.delete(`r${key}`)
  dict.delete(`f${key}`)
  dict.delete(`p${key}`)
}

export type CheckProblem = OriginFailure | 'status'

/**
 * Records the result of a check: an origin is down after `fall` failures in a row, and up after `rise` successes in a
 * row. The results expire when checks stop.
 */
export function noteCheck(
  key: string,
  problem: CheckProblem | undefined,
  { rise, fall, interval, timeout }: { rise: number; fall: number; interval: number; timeout: number },
): void {
  const kept = 3 * (interval + timeout) + 30
  const [before] = dict.get(`s${key}`)
  const streak = (before as number | undefined) ?? 0
  const passed = problem === undefined
  const now = passed ? math.max(streak, 0) + 1 : math.min(streak, 0) - 1
  dict.set(`s${key}`, now, kept)
  const [known, since] = dict.get(`c${key}`)
  if (passed) {
    if (known !== undefined && now >= rise) dict.delete(`c${key}`)
    else if (known !== undefined) dict.set(`c${key}`, known, kept, since)
  } else if (known !== undefined || -now >= fall) dict.set(`c${key}`, problem, kept, since ?? ngx.time())
}

export type OriginState = { id: number; state: 'up' | 'resting' | 'down'; reason: string; since: number }

/** Origins that rest or are down, and those that pass their checks. Epoch seconds; 0 if the start is unknown. */
export function originStates(): OriginState[] {
  const found: Record<string, OriginState> = {}
  for (const name of dict.get_keys(statesMax)) {
    const [value, flags] = dict.get(name)
    const kind = name.charAt(0)
    const key = name.substring(1)
    const id = tonumber(key.substring(0, key.indexOf(':')))
    if (value === undefined || id === undefined) continue
    if (kind === 'c') found[key] = { id, state: 'down', reason: value as string, since: flags ?? 0 }
    else if (kind === 'r' && found[key]?.state !== 'down')
      found[key] = { id, state: 'resting', reason: '', since: math.floor((value as number) - (flags ?? 0)) }
    else if (kind === 's' && (value as number) > 0 && found[key] === undefined)
      found[key] = { id, state: 'up', reason: '', since: 0 }
  }
  return Object.values(found)
}

/** Seconds for which it is remembered how an origin answers. */
const mannerSeconds = 86_400

/** Whether nginx can parse an origin's answers itself: it was seen to speak HTTP without interim answers (1xx). */
export function isPlainHttp(address: string, port: number): boolean {
  const [manner] = manners.get(`m${address}:${port}`)
  return manner === 'plain'
}

/** Records how an origin answers. Having seen an interim answer outweighs answers without one. */
export function noteManner(address: string, port: number, hasInterim: boolean): void {
  const key = `m${address}:${port}`
  if (hasInterim) manners.set(key, 'interim', mannerSeconds)
  else manners.add(key, 'plain', mannerSeconds)
}
