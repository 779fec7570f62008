/**
 * Protection for a whole zone (contract: LiveConfiguration), regardless of the site: addresses that are blocked, a rate
 * limit across all sites, and bans for addresses that keep requesting unknown hosts.
 */

import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { passedFactor } from '@breakwater/contract/edge/passed-challenge.ts'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import type { EdgeRequest, Tools, Verdict } from '../lib/guard.ts'
import { blocked, challenged } from './rule.ts'

export type ZoneLimits = {
  ipset: RangeSet | undefined
  anticc: { seconds: number; times: number; blockType: number } | undefined
}

/** For clients banned from the whole zone: the connection is closed without an answer. */
export const bannedFromZone: Verdict = {
  action: 'drop',
  guard: 'bansOfZone',
  rule: 0,
  cause: causes.drop,
  status: 444,
  blockType: 0,
}

/** Returns undefined if the zone has none. */
export function compileZoneLimits({ ipset, anticc }: LiveConfiguration): ZoneLimits | undefined {
  if (ipset === undefined && anticc === undefined) return undefined
  return { ipset: ipset === undefined ? undefined : rangeSet(ipset), anticc }
}

/** Checked before any rule of a site, even its allow list: the operator takes precedence. */
export function refusedByZone({ ipset }: ZoneLimits, request: EdgeRequest): Verdict | undefined {
  if (ipset === undefined || !inRangeSet(ipset, request.addressBytes)) return undefined
  return blocked('ipset', 0, causes.denyList)
}

/** No site has this id: the requests to all sites are counted under it. */
const ofZone = 0

/** Runs after the site itself let the request pass, unless an allow rule matched it. */
export function limitedByZone({ anticc }: ZoneLimits, request: EdgeRequest, tools: Tools): Verdict | undefined {
  if (anticc === undefined || request.path === answerPath) return undefined
  const counted = tools.count(ofZone, 'zone', request.addressBytes, anticc.seconds)
  if (counted <= anticc.times) return undefined
  const verdict = challenged('zoneAntiCC', 0, anticc.blockType)
  if (counted <= anticc.times * passedFactor) return tools.hasPassed(request, anticc.blockType) ? undefined : verdict
  return { ...verdict, action: 'block', cause: causes.rateLimit, status: 429, blockType: 0 }
}
