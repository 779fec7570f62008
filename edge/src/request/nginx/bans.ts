/**
 * Addresses that a site has banned, in shared memory: because of refusals on this node, or as the agent reports from
 * other nodes (contract/src/edge/bans.ts). Each site has a limit: beyond it no address is banned, and no other site's
 * ban is evicted.
 */
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import type { BanRecord } from '@breakwater/contract/edge/node-disk.ts'
import { inRangeSet, parseRange, type RangeSet, rangeSet } from '../lib/address.ts'
import type { Ban } from '../lib/guard.ts'
import { clientKey } from './buckets.ts'
import { node } from './node.ts'

const dict = ngx.shared.bans!

/** Refusals within a minute that lead to a ban. */
const refusalsMax = 10
const refusalSeconds = 60
/** Bans that one site may begin per hour, so that even a large flood leaves room for other sites. */
const bansOfSite = 10_000
const hour = 3600
/** Unsolved challenges that lead to a ban. */
const unsolvedMax = 5

export function isBanned(site: number, bytes: string): boolean {
  const [until] = dict.get(`b${site}:${clientKey(bytes, false)}`)
  return until !== undefined
}

/** Notes that an address was refused. Returns whether it was refused once too often. */
export function noteRefused(site: number, bytes: string): boolean {
  const [refused] = dict.incr(`r${site}:${clientKey(bytes, false)}`, 1, 0, refusalSeconds)
  return refused !== undefined && refused >= refusalsMax
}

const unsolvedKey = (key: string, client: string): string => `u${key}:${client}`

/**
 * Notes that an address gets a challenge, which counts as unsolved until it shows a pass. Returns whether that was once
 * too often.
 */
export function noteUnsolved(site: number, { key, within }: Ban, bytes: string): boolean {
  const [unsolved] = dict.incr(unsolvedKey(key, `${site}:${clientKey(bytes, false)}`), 1, 0, within)
  return unsolved !== undefined && unsolved >= unsolvedMax
}

export function noteSolved(site: number, { key }: Ban, bytes: string): void {
  dict.delete(unsolvedKey(key, `${site}:${clientKey(bytes, false)}`))
}

let neverBanned: RangeSet | undefined

/**
 * The zone's proxies, because banning one would refuse all of its visitors, and this node's own addresses except
 * loopback.
 */
function protectedAddresses(): RangeSet {
  if (neverBanned !== undefined) return neverBanned
  const { trustedProxies, ownAddresses } = node()
  const own = ownAddresses.filter((address) => address !== '::1' && !address.startsWith('127.'))
  neverBanned = rangeSet([...trustedProxies, ...own])
  return neverBanned
}

/**
 * Bans an address and resets the counter that led to it, so that counting starts from zero after the ban. Returns false
 * if the address is already banned or must not be, or if the site has too many bans.
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

/** Applies bans and unbans from the agent. If memory is full, no other ban is evicted. */
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

/** Loads the bans on disk, before nginx listens. The last line of an address counts. */
export function loadBans(records: BanRecord[]): void {
  const now = ngx.now()
  applyBans(records.map(({ site, address, until }) => ({ site, address, seconds: Math.max(0, until - now) })))
}
