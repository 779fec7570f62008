/**
 * The buckets of rate rules in shared memory. A site has a small share of the memory that all sites have; what a crowd
 * needs above it stands in a memory of crowds, and above that in few coarse buckets. So a tenant's flood, of addresses
 * it may well have made up itself, evicts nobody's levels but those of other floods.
 */
import { type Counters, levelAfter, levelSeconds } from '../lib/bucket.ts'
import { numbersOf } from './shared-numbers.ts'
import { noteTaken } from './tallies.ts'

const common = ngx.shared.buckets!
const crowds = ngx.shared.crowds!

/** New keys that a site may have in a minute: in the memory of all, and in all. A bucket that lasts longer counts more. */
const keysOfSite = 5_000
export const keysPerMinute = 50_000
const weightMax = 10
/** Coarse buckets of one rule. */
const coarseSlots = 4096

/** The bytes that count as one client: an IPv4 address, or an IPv6 /64. Coarse: /16 and /32. */
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

/** Where a client's number is kept: the memory, and the key. One place for all, read at once: a table a request would be garbage. */
const place = { dict: common, key: '' }

/** Finds the place of a client's number that is not in the memory of all, and lasts so many seconds. */
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

/** Takes one from the client's bucket of a rule; false where it is empty. */
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

/** Counts a request of a client for a rule; returns how many came in so many seconds from the first, this one included. */
export function countLive(site: number, rule: string, bytes: string, seconds: number): number {
  const key = keyOf(site, rule, bytes)
  // Who came before is counted by one look.
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

/** The longest that a client is made to wait for what other nodes let pass, in seconds. */
const debtMax = 60

/** Adds what other nodes took from a bucket, in seconds of its rate: this node gives as much less. */
export function addDebt(key: string, seconds: number): void {
  const now = ngx.now()
  const isCrowd = inCommon.get(key) === undefined && inCrowds.get(key) !== undefined
  const counters = isCrowd ? inCrowds : inCommon
  const emptyAt = Math.min(now + debtMax, Math.max(counters.get(key) ?? now, now) + seconds)
  counters.set(key, emptyAt, emptyAt - now + 1)
}

/** Adds what other nodes counted in a window; one that has not begun here begins now. */
export function addCounted(key: string, requests: number, seconds: number): void {
  const isCrowd = inCommon.get(key) === undefined && inCrowds.get(key) !== undefined
  const dict = isCrowd ? crowds : common
  dict.incr(key, requests, 0, seconds)
}
