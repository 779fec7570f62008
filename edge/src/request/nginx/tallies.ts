/**
 * What the nodes of a site count together (contract/src/edge/tallies.ts): summed in each worker, added to shared memory
 * once a second, and collected there by the agent. It costs each request an addition or two.
 */
import { numbersOf } from './shared-numbers.ts'

const dict = ngx.shared.tallies!
const numberOf = numbersOf(dict)

/** Seconds after which a value that was not collected is no longer useful to other nodes. */
const keptSeconds = 30
/** Clients that a worker reports per second. */
const keysOfWorker = 4_000
/** For a bucket, in seconds of its rate: a client that takes less per second stays within it even on forty nodes. */
const bucketLeast = 1 / 40

type SiteSum = { requests: number; asked: number; failures: number; threshold: number }
let sites: Record<number, SiteSum> = {}
let amounts: Record<string, number> = {}
let windows: Record<string, number> = {}
let keyCount = 0

/** Notes a response of a site with automatic protection. */
export function noteTraffic(site: number, threshold: number, isAsked: boolean, isFailure: boolean): void {
  let sum = sites[site]
  if (sum === undefined) {
    sum = { requests: 0, asked: 0, failures: 0, threshold }
    sites[site] = sum
  }
  sum.requests++
  sum.threshold = threshold
  if (isAsked) sum.asked++
  if (isFailure) sum.failures++
}

/** Notes what a client took from a rule: seconds of a bucket's rate, or requests in a window of `seconds`. */
export function noteTaken(key: string, amount: number, seconds: number): void {
  const before = amounts[key]
  if (before === undefined) {
    if (keyCount >= keysOfWorker) return
    keyCount++
    amounts[key] = amount
    windows[key] = seconds
  } else {
    amounts[key] = before + amount
  }
}

/** Adds this worker's sums to those of all workers. */
export function flushTallies(): void {
  for (const site in sites) {
    const { requests, asked, failures, threshold } = sites[site]!
    dict.incr(`s${site}:requests`, requests, 0, keptSeconds)
    dict.incr(`s${site}:asked`, asked, 0, keptSeconds)
    dict.incr(`s${site}:failures`, failures, 0, keptSeconds)
    dict.set(`s${site}:threshold`, threshold, keptSeconds)
  }
  sites = {}
  if (keyCount === 0) return
  for (const key in amounts) {
    const [amount, seconds] = [amounts[key]!, windows[key]!]
    if (seconds > 0 || amount >= bucketLeast) dict.incr(`k${seconds}:${key}`, amount, 0, keptSeconds)
  }
  amounts = {}
  windows = {}
  keyCount = 0
}

/** Whether the site is currently under attack. */
export function isUnderAttack(site: number): boolean {
  return numberOf(`a${site}`) !== undefined
}
