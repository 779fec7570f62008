/**
 * The buckets of rate rules in shared memory. A site has a small share of the memory that all sites have; what a crowd
 * needs above it stands in a memory of crowds, and above that in few coarse buckets. So a tenant's flood, of addresses
 * it may well have made up itself, evicts nobody's levels but those of other floods.
 */
import { type Counters, takeFrom } from '../lib/bucket.ts'

const common = ngx.shared.buckets!
const crowds = ngx.shared.crowds!

/** New keys that a site may have in a minute: in the memory of all, and in all. A bucket that lasts longer counts more. */
const keysOfSite = 5_000
export const keysPerMinute = 50_000
const weightMax = 10
/** Coarse buckets of one rule. */
const coarseSlots = 4096

/** The bytes that count as one visitor: an IPv4 address, or an IPv6 /64. Coarse: /16 and /32. */
export function visitorKey(bytes: string, coarse: boolean): string {
  if (bytes.length === 4) return coarse ? bytes.substring(0, 2) : bytes
  return bytes.substring(0, coarse ? 4 : 8)
}

const countersIn = (dict: typeof common): Counters => ({
  get(key) {
    const [value] = dict.get(key)
    return value as number | undefined
  },
  set(key, value, ttlSeconds) {
    dict.set(key, value, ttlSeconds)
  },
})

const inCommon = countersIn(common)
const inCrowds = countersIn(crowds)

/** Takes one from the visitor's bucket of a rule; false where it is empty. */
export function takeLive(site: number, rule: string, bytes: string, rate: number, burst: number): boolean {
  const prefix = `${site}:${rule}:`
  const key = prefix + visitorKey(bytes, false)
  const now = ngx.now()
  if (inCommon.get(key) !== undefined) return takeFrom(inCommon, now, key, rate, burst)
  const budget = `n${site}`
  const [spent] = common.get(budget)
  if (spent !== undefined && (spent as number) >= keysOfSite && inCrowds.get(key) !== undefined)
    return takeFrom(inCrowds, now, key, rate, burst)
  const weight = Math.max(1, Math.min(weightMax, (burst + 1) / rate / 60))
  const [keys] = common.incr(budget, weight, 0, 60)
  if (keys === undefined || keys <= keysOfSite) return takeFrom(inCommon, now, key, rate, burst)
  if (keys <= keysPerMinute) return takeFrom(inCrowds, now, key, rate, burst)
  const slot = ngx.crc32_long(visitorKey(bytes, true)) % coarseSlots
  return takeFrom(inCrowds, now, `${prefix}c${slot}`, rate, burst)
}
