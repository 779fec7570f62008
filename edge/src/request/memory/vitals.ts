/**
 * What a roll-out is judged by (contract: Vitals): summed in each worker, and added to shared memory when the counters
 * are flushed, so that a request costs only an addition or two.
 */
import type { latencySteps, Vitals } from '@breakwater/contract/edge/node-api.ts'

const dict = ngx.shared.node!

const steps: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000] satisfies typeof latencySteps

let failures = 0
let milliseconds = 0
let originMilliseconds = 0
const latency = steps.map(() => 0).concat([0])
const origin = steps.map(() => 0).concat([0])

/** Notes one response. `seconds` is how long it took. */
export function noteAnswer(status: number, cause: number, seconds: number): void {
  if (status >= 500 && cause === 0) failures++
  const ms = seconds * 1000
  milliseconds += ms
  // Most responses take less than the first step, so they skip the loop.
  if (ms <= steps[0]!) {
    latency[0]!++
    return
  }
  let step = 1
  while (step < steps.length && ms > steps[step]!) step++
  latency[step]!++
}

/** Notes how long an origin took to respond. */
export function noteOrigin(ms: number): void {
  originMilliseconds += ms
  let step = 0
  while (step < steps.length && ms > steps[step]!) step++
  origin[step]!++
}

/** A phase of the request path failed: rare, and counted at once. */
export function noteError(): void {
  dict.incr('errors', 1, 0)
}

/** Counts how often nginx has read its configuration, at its start and at each reload. Returns that number. */
export function noteConfiguration(): number {
  const [count] = dict.incr('configurations', 1, 0)
  return count ?? 0
}

/**
 * A worker process starts. A second start of the same worker id under the same configuration means that the first one
 * crashed.
 */
export function noteStart(): void {
  const key = `under${ngx.worker.id()}`
  const configuration = numberAt('configurations')
  if (numberAt(key) === configuration) dict.incr('crashes', 1, 0)
  dict.set(key, configuration)
}

export function flushVitals(): void {
  if (failures > 0) dict.incr('failures', failures, 0)
  failures = 0
  flushSteps(latency, 'ms')
  flushSteps(origin, 'origin')
  if (milliseconds > 0) dict.incr('milliseconds', milliseconds, 0)
  if (originMilliseconds > 0) dict.incr('originMilliseconds', originMilliseconds, 0)
  milliseconds = 0
  originMilliseconds = 0
}

function flushSteps(counts: number[], name: string): void {
  for (let step = 0; step < counts.length; step++) {
    if (counts[step]! > 0) dict.incr(`${name}${step}`, counts[step]!, 0)
    counts[step] = 0
  }
}

function numberAt(key: string): number {
  const [value] = dict.get(key)
  return (value as number | undefined) ?? 0
}

export function vitals(): Vitals {
  return {
    requests: numberAt('requests'),
    failures: numberAt('failures'),
    errors: numberAt('errors'),
    crashes: numberAt('crashes'),
    latency: latency.map((_, step) => numberAt(`ms${step}`)),
    milliseconds: math.floor(numberAt('milliseconds')),
    origin: {
      counts: origin.map((_, step) => numberAt(`origin${step}`)),
      milliseconds: math.floor(numberAt('originMilliseconds')),
    },
  }
}
