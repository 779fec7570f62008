/** Explains a request: the very guards that decide live, asked one by one, on a simulated world. Pure: the same in nginx and in Node. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Explanation, GuardStep, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { EdgeRequest, Tools, Verdict } from './guard.ts'
import { guards, type Step } from './guards.ts'
import { parseAddress } from './lib/address.ts'
import { takeFrom } from './lib/bucket.ts'
import { canonicalHost, canonicalPath } from './lib/canonical.ts'

/** What a simulation borrows from the world: how to match, and how to look up a list. */
export type Matching = Pick<Tools, 'matches' | 'mayMatch' | 'listed'>

/** A path that leads above the root stands for itself with a NUL, which the first guard refuses. */
function simulated(given: SimulatedRequest): EdgeRequest {
  return {
    site: given.site,
    method: given.method,
    host: canonicalHost(given.host),
    path: canonicalPath(given.path) ?? '\0',
    query: given.query,
    addressBytes: parseAddress(given.address) ?? '\0\0\0\0',
    time: given.time,
    observed: undefined,
  }
}

/** Tools that touch nothing: buckets of its own, no cookie, the body that was given. */
function simulatedTools(given: SimulatedRequest, matching: Matching): Tools {
  const headers: Record<string, string> = {}
  let count = 0
  for (const name in given.headers) {
    headers[name.toLowerCase()] = given.headers[name]!
    count++
  }
  const levels: Record<string, number> = {}
  const counters = {
    get: (key: string): number | undefined => levels[key],
    set: (key: string, value: number, _ttl: number): void => {
      levels[key] = value
    },
  }
  return {
    matches: matching.matches,
    mayMatch: matching.mayMatch,
    listed: matching.listed,
    header: (name) => headers[name],
    headerCount: () => count,
    take: (_site, key, _bytes, rate, burst) => takeFrom(counters, given.time, key, rate, burst),
    hasPassed: () => false,
    answer: () => ({
      action: 'block',
      guard: 'challenge',
      rule: 0,
      cause: causes.challenge,
      status: 403,
      blockType: 0,
    }),
    body(max) {
      const body = given.body ?? ''
      return body.length > max ? undefined : body
    },
  }
}

function stepOf(place: number, outcome: GuardStep['outcome'], verdict?: Verdict): GuardStep {
  const { name, phase } = guards[place]!
  return { guard: name, phase, outcome, rule: verdict?.rule ?? 0, cause: verdict?.cause ?? 0 }
}

function outcomeOf(verdict: Verdict): GuardStep['outcome'] {
  if (verdict.action === 'allow') return 'allow'
  return verdict.action === 'challenge' ? 'challenge' : 'block'
}

/** Every guard in the order of battle: those after the deciding one are skipped. */
export function explain(steps: Step[], given: SimulatedRequest, matching: Matching): Explanation {
  const request = simulated(given)
  const tools = simulatedTools(given, matching)
  const told: GuardStep[] = []
  let decided: Verdict | undefined
  for (let i = 0; i < guards.length; i++) {
    if (decided !== undefined) {
      told.push(stepOf(i, 'skipped'))
      continue
    }
    const step = steps.find((one) => one.guard === guards[i])
    request.observed = undefined
    decided = step?.guard.check(step.compiled, request, tools)
    if (decided !== undefined) told.push(stepOf(i, outcomeOf(decided), decided))
    else if (request.observed !== undefined) told.push(stepOf(i, 'observe', request.observed))
    else told.push(stepOf(i, 'passed'))
  }
  return { steps: told, verdict: verdictOf(decided) }
}

function verdictOf(decided: Verdict | undefined): Explanation['verdict'] {
  if (decided === undefined || decided.action === 'allow' || decided.action === 'answer') return 'pass'
  return decided.action
}
