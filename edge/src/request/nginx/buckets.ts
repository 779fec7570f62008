/**
 * The buckets of rate rules in shared memory. A site has a budget of keys a minute; above it addresses share coarse
 * buckets, so that one tenant's flood evicts nobody else's levels.
 */
import { type Counters, takeFrom } from '../lib/bucket.ts'

const dict = ngx.shared.buckets!

/** New keys that a site may have in a minute. */
export const keysPerMinute = 50_000

/** The bytes that count as one visitor: an IPv4 address, or an IPv6 /64. Coarse: /16 and /32. */
export function visitorKey(bytes: string, coarse: boolean): string {
  if (bytes.length === 4) return coarse ? bytes.substring(0, 2) : bytes
  return bytes.substring(0, coarse ? 4 : 8)
}

const shared: Counters = {
  get(key) {
    const [value] = dict.get(key)
    return value as number | undefined
  },
  set(key, value, ttlSeconds) {
    dict.set(key, value, ttlSeconds)
  },
}

/** Takes one from the visitor's bucket of a rule; false where it is empty. */
export function takeLive(site: number, rule: string, bytes: string, rate: number, burst: number): boolean {
  const prefix = `${site}:${rule}:`
  let key = prefix + visitorKey(bytes, false)
  const [level] = dict.get(key)
  if (level === undefined) {
    const [keys] = dict.incr(`n${site}`, 1, 0, 60)
    if (keys !== undefined && keys > keysPerMinute) key = `${prefix}c${visitorKey(bytes, true)}`
  }
  return takeFrom(shared, ngx.now(), key, rate, burst)
}
