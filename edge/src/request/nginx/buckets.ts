/**
 * The buckets of rate rules in shared memory. Each site gets a small share of the common memory. What it needs beyond
 * that is kept in a separate memory for crowds, and beyond that in a few coarse buckets. So a flood on one tenant,
 * possibly from forged addresses, evicts only the levels of other floods.
 */
import { type Counters, levelAfter, levelSeconds } from '../lib/bucket.ts'
import { numbersOf } from './shared-numbers.ts'
import { noteTaken } from './tallies.ts'

const common = ngx.shared.buckets!
const crowds = ngx.shared.crowds!

/**
 * New keys that a site may have per minute: in the common memory, and in total. A bucket that lasts longer counts more.
 */
const keysOfSite = 5_000
export const keysPerMinute = 50_000
const weightMax = 10
/** Coarse buckets per rule. */
const coarseSlots = 4096

/** The bytes that identify a client: an IPv4 address, or an IPv6 /64. Coarse: /16 and /32. */
export function clientKey(bytes: string, coarse: boolean): string {
  if (bytes.length === 4) return coarse ? bytes.substring(0, 2) : bytes
  return bytes.substring(0, coarse ? 4 : 8)
}

function countersIn(dict: SharedDict): Counters {
  const numberOf = numbersOf(dict)
  return {
    get(key) {
      const value = numberOf(key)
      return value
    },
    set(key, value, ttlSeconds) {
      dict.set(key, value, ttlSeconds)
    },
  }
}

const inCommon = countersIn(common)
const inCrowds = countersIn(crowds)

const keyOf = (site: number, rule: string, bytes: string): string => `${site}:${rule}:${clientKey(bytes, false)}`

/**
 * Where a client's number is kept: the memory and the key. A single object, read at once: a table per request would be
 * garbage.
 */
const place = { dict: common, key: '' }

/** Finds the place for a client's number that is not in the common memory and lasts `seconds`. */
function findPlace(site: number, rule: string, bytes: string, seconds: number): void {
  const key = keyOf(site, rule, bytes)
  place.key = key
  place.dict = common
  const budget = `n${site}`
  const spent = inCommon.get(budget)
  if (spent !== undefined && spent >= keysOfSite && inCrowds.get(key) !== undefined) {
    place.dict = crowds
    return
  }
  const weight = Math.max(1, Math.min(weightMax, seconds / 60))
  const [keys] = common.incr(budget, weight, 0, 60)
  if (keys === undefined || keys <= keysOfSite) return
  place.dict = crowds
  if (keys > keysPerMinute) place.key = `${site}:${rule}:c${ngx.crc32_long(clientKey(bytes, true)) % coarseSlots}`
}

/** Takes one from the client's bucket of a rule. Returns false if there is no room. */
export function takeLive(site: number, rule: string, bytes: string, rate: number, burst: number): boolean {
  let key = keyOf(site, rule, bytes)
  let dict = common
  let level = inCommon.get(key)
  if (level === undefined) {
    findPlace(site, rule, bytes, (burst + 1) / rate)
    key = place.key
    dict = place.dict
    if (dict !== common) level = inCrowds.get(key)
  }
  const after = levelAfter(level, ngx.now(), rate, burst)
  if (after === undefined) return false
  dict.set(key, after, levelSeconds(rate, burst))
  noteTaken(key, 1 / rate, 0)
  return true
}

/**
 * Counts a client's request for a rule. Returns how many came within `seconds` of the first one, including this one.
 */
export function countLive(site: number, rule: string, bytes: string, seconds: number): number {
  const key = keyOf(site, rule, bytes)
  // A known client is counted with a single operation.
  const [known] = common.incr(key, 1)
  if (known !== undefined) {
    noteTaken(key, 1, seconds)
    return known
  }
  findPlace(site, rule, bytes, seconds)
  const [counted] = place.dict.incr(place.key, 1, 0, seconds)
  noteTaken(place.key, 1, seconds)
  return counted ?? 1
}

/** Seconds that a client must wait at most because of what other nodes let pass. */
const debtMax = 60

/** Adds what other nodes took from a bucket, in seconds of its rate: this node allows correspondingly less. */
export function addDebt(key: string, seconds: number): void {
  const now = ngx.now()
  const isCrowd = inCommon.get(key) === undefined && inCrowds.get(key) !== undefined
  const counters = isCrowd ? inCrowds : inCommon
  const emptyAt = Math.min(now + debtMax, Math.max(counters.get(key) ?? now, now) + seconds)
  counters.set(key, emptyAt, emptyAt - now + 1)
}

/** Adds what other nodes counted in a window. If the window has not begun here, it begins now. */
export function addCounted(key: string, requests: number, seconds: number): void {
  const isCrowd = inCommon.get(key) === undefined && inCrowds.get(key) !== undefined
  const dict = isCrowd ? crowds : common
  dict.incr(key, requests, 0, seconds)
}
