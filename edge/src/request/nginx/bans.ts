/**
 * Addresses that a site has banned, in shared memory: by what this node refused, and as the agent tells of other nodes
 * (contract/src/edge/bans.ts). Each site has room for so many: one more is not banned, and nobody else's ban goes for it.
 */
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import type { BanRecord } from '@breakwater/contract/edge/node-disk.ts'
import { inRangeSet, parseRange, type RangeSet, rangeSet } from '../lib/address.ts'
import type { Ban } from '../lib/guard.ts'
import { clientKey } from './buckets.ts'
import { node } from './node.ts'

const dict = ngx.shared.bans!

/** Refusals within a minute that ban an address. */
const refusalsMax = 10
const refusalSeconds = 60
/** Bans that one site may begin in an hour: of as many addresses as a flood has, others keep their room. */
const bansOfSite = 10_000
const hour = 3600
/** Challenges left unsolved that ban an address. */
const unsolvedMax = 5

export function isBanned(site: number, bytes: string): boolean {
  const [until] = dict.get(`b${site}:${clientKey(bytes, false)}`)
  return until !== undefined
}

/** Notes that an address was refused; whether that was once too often. */
export function noteRefused(site: number, bytes: string): boolean {
  const [refused] = dict.incr(`r${site}:${clientKey(bytes, false)}`, 1, 0, refusalSeconds)
  return refused !== undefined && refused >= refusalsMax
}

const unsolvedKey = (key: string, client: string): string => `u${key}:${client}`

/** Notes that an address is asked for a challenge, which is unsolved until it shows a pass; whether that was once too often. */
export function noteUnsolved(site: number, { key, within }: Ban, bytes: string): boolean {
  const [unsolved] = dict.incr(unsolvedKey(key, `${site}:${clientKey(bytes, false)}`), 1, 0, within)
  return unsolved !== undefined && unsolved >= unsolvedMax
}

export function noteSolved(site: number, { key }: Ban, bytes: string): void {
  dict.delete(unsolvedKey(key, `${site}:${clientKey(bytes, false)}`))
}

let neverBanned: RangeSet | undefined

/** The zone's proxies, in whose place all of their visitors would be refused, and this node's own addresses but loopback. */
function protectedAddresses(): RangeSet {
  if (neverBanned !== undefined) return neverBanned
  const { trustedProxies, ownAddresses } = node()
  const own = ownAddresses.filter((address) => address !== '::1' && !address.startsWith('127.'))
  neverBanned = rangeSet([...trustedProxies, ...own])
  return neverBanned
}

/**
 * Bans an address, and forgets what led to it: once the ban is over or lifted, it is counted from nothing. False where it
 * is banned already or may not be, and where the site has enough.
 */
export function ban(site: number, bytes: string, seconds: number, { key }: Partial<Ban>): boolean {
  if (inRangeSet(protectedAddresses(), bytes)) return false
  const client = `${site}:${clientKey(bytes, false)}`
  const [begun] = dict.incr(`n${site}`, 1, 0, hour)
  if (begun === undefined || begun > bansOfSite) return false
  const [isNew] = dict.safe_add(`b${client}`, 1, seconds)
  if (isNew !== true) return false
  dict.delete(key === undefined ? `r${client}` : unsolvedKey(key, client))
  return true
}

/** Bans and lifts as the agent says. Where memory is full nobody else's ban goes. */
export function applyBans(bans: BanChange[]): void {
  let lacking = 0
  for (const { site, address, seconds } of bans) {
    const client = `${site}:${clientKey(parseRange(address)?.from ?? '', false)}`
    if (seconds > 0) {
      const [isKept] = dict.safe_set(`b${client}`, 1, seconds)
      if (isKept !== true) lacking++
    } else {
      dict.delete(`b${client}`)
      dict.delete(`r${client}`)
    }
  }
  if (lacking > 0) ngx.log(ngx.ERR, lacking, ' bans of other nodes do not hold here: there is no memory for them')
}

/** The same of the lines on disk, before nginx listens. The last line of an address counts. */
export function loadBans(records: BanRecord[]): void {
  const now = ngx.now()
  applyBans(records.map(({ site, address, until }) => ({ site, address, seconds: Math.max(0, until - now) })))
}
