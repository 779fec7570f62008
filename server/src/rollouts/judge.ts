/**
 * Decides whether a node is worse off since a step of a roll-out began. Pure: from its counters before, at the start
 * and now.
 */
import { latencySteps, type Vitals } from '@breakwater/contract/edge/node-api.ts'

/** With fewer events than these there is no verdict. */
const errorsMin = 5
const failuresMin = 10
const requestsMin = 200
/** A latency below this many ms is fast enough, whatever it was before. */
const quickMs = 50

type Delta = { requests: number; failures: number; errors: number; latency: number[] }

/**
 * Why the step must be rolled back, or undefined. `before` is minutes older than `start`; without it, nothing counts as
 * having failed before.
 */
export function judge(before: Vitals | null, start: Vitals | null, now: Vitals | undefined): string | undefined {
  if (start === null || now === undefined) return undefined
  if (now.requests < start.requests) return 'nginx was started anew'
  if (now.crashes > start.crashes) return `${now.crashes - start.crashes} worker processes crashed`
  const since = delta(start, now)
  const then = before === null || before.requests > start.requests ? undefined : delta(before, start)
  if (since.errors >= errorsMin && share(since, 'errors') > 2 * share(then, 'errors') + 0.0005)
    return `${since.errors} requests failed inside the node, ${percent(share(then, 'errors'))} before`
  if (since.failures >= failuresMin && share(since, 'failures') > 2 * share(then, 'failures') + 0.01)
    return `${percent(share(since, 'failures'))} of answers are 5xx, ${percent(share(then, 'failures'))} before`
  return slower(then, since)
}

function slower(then: Delta | undefined, since: Delta): string | undefined {
  if (!then || then.requests < requestsMin || since.requests < requestsMin) return undefined
  const [was, is] = [p99(then.latency), p99(since.latency)]
  // Two steps are more than a factor of two.
  if (is < was + 2 || (latencySteps[is] ?? Number.POSITIVE_INFINITY) < quickMs) return undefined
  return `p99 is ${bound(is)}, ${bound(was)} before`
}

const delta = (from: Vitals, to: Vitals): Delta => ({
  requests: to.requests - from.requests,
  failures: to.failures - from.failures,
  errors: to.errors - from.errors,
  latency: to.latency.map((count, step) => count - (from.latency[step] ?? 0)),
})

const share = (of: Delta | undefined, what: 'errors' | 'failures'): number =>
  of === undefined || of.requests === 0 ? 0 : of[what] / of.requests

/** The latency step that contains the 99th percentile. */
function p99(latency: number[]): number {
  const total = latency.reduce((sum, count) => sum + count, 0)
  let seen = 0
  return latency.findIndex((count) => {
    seen += count
    return seen >= total * 0.99
  })
}

const percent = (value: number): string => `${(value * 100).toFixed(1)} %`
const bound = (step: number): string =>
  step < latencySteps.length ? `up to ${latencySteps[step]} ms` : `over ${latencySteps.at(-1)} ms`
