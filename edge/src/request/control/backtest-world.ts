/**
 * The simulated world of a back-test: its clock follows the rows, and its buckets and passed challenges are its own.
 * State that nodes share is shared here, and state that each node keeps for itself is kept per node.
 */

import { causes } from '@breakwater/contract/edge/causes.ts'
import { passSeconds } from '@breakwater/contract/edge/passed-challenge.ts'
import { formDecoded } from '../bytes/url.ts'
import { takeFrom } from '../lib/bucket.ts'
import { networkOf } from '../lib/challenge-token.ts'
import type { EdgeRequest, Tools, Verdict } from '../lib/guard.ts'
import { isListed } from '../nginx/address-list.ts'
import { clientKey, keysPerMinute } from '../nginx/buckets.ts'
import { asnOf } from '../nginx/networks.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'

/** Empty buckets are removed whenever this many buckets have been added. */
const sweepAfter = 100_000

export type World = {
  tools: Tools
  /** The current row: its epoch seconds, its node, the number of requests it stands for, its user agent. */
  now: number
  node: number
  weight: number
  agent: number
  country: string
  /** The reputation of the row's address; 0 if it has none. */
  score: number
  /** '' if the row has none, or it was not requested. */
  userAgent: string
  referer: string
  /** The AS number of the row's address at that time; 0 if the row has none, as with older rows. */
  asn: number
  /** The verified bot that the row's client was; '' for none. */
  bot: string
  /** The key of the counting rule under test, and whether it was evaluated for the row. */
  tried: string
  isAsked: boolean
  /** Notes that the row's visitor passed a challenge. */
  pass: (this: void, request: EdgeRequest) => void
  hasPassed: (this: void, request: EdgeRequest) => boolean
}

const refused: Verdict = {
  action: 'block',
  guard: 'challenge',
  rule: 0,
  cause: causes.challenge,
  status: 403,
  blockType: 0,
}

export function makeWorld(tried: string): World {
  let levels: Record<string, number> = {}
  let levelCount = 0
  let sweepAt = sweepAfter
  const newKeys: Record<number, { count: number; until: number }> = {}
  const passes: Record<string, number> = {}
  let hasPasses = false

  /** Removes buckets that are empty by now. */
  const sweep = (): void => {
    const kept: Record<string, number> = {}
    levelCount = 0
    for (const key in levels) {
      const emptyAt = levels[key]!
      if (emptyAt <= world.now) continue
      kept[key] = emptyAt
      levelCount++
    }
    levels = kept
    sweepAt = levelCount + sweepAfter
  }

  let windows: Record<string, { count: number; until: number }> = {}
  let windowCount = 0
  let windowsSweepAt = sweepAfter

  const sweepWindows = (): void => {
    const kept: typeof windows = {}
    windowCount = 0
    for (const key in windows) {
      if (windows[key]!.until <= world.now) continue
      kept[key] = windows[key]!
      windowCount++
    }
    windows = kept
    windowsSweepAt = windowCount + sweepAfter
  }

  const counters = {
    get: (key: string): number | undefined => levels[key],
    set: (key: string, value: number, _ttl: number): void => {
      if (levels[key] === undefined) {
        levelCount++
        if (levelCount > sweepAt) sweep()
      }
      levels[key] = value
    },
  }

  /** Counts a new key on the row's node. Returns whether the site's limit of new keys is exceeded, as in `takeLive`. */
  const isCoarse = (): boolean => {
    const counted = newKeys[world.node]
    if (counted === undefined || world.now >= counted.until) {
      newKeys[world.node] = { count: 1, until: world.now + 60 }
      return false
    }
    counted.count++
    return counted.count > keysPerMinute
  }

  /**
   * A row that stands for ten requests takes ten, which is equal to taking one from a bucket of a tenth of the size.
   */
  const take = (_site: number, rule: string, bytes: string, rate: number, burst: number): boolean => {
    if (rule === world.tried) world.isAsked = true
    const prefix = `${world.node}:${rule}:`
    let key = prefix + clientKey(bytes, false)
    if (levels[key] === undefined && isCoarse()) key = `${prefix}c${clientKey(bytes, true)}`
    return takeFrom(counters, world.now, key, rate / world.weight, burst / world.weight)
  }

  /** Like `take`, for a window that begins with its first row. */
  const count = (_site: number, rule: string, bytes: string, seconds: number): number => {
    if (rule === world.tried) world.isAsked = true
    const prefix = `${world.node}:${rule}:`
    let key = prefix + clientKey(bytes, false)
    if (windows[key] === undefined && isCoarse()) key = `${prefix}c${clientKey(bytes, true)}`
    const window = windows[key]
    if (window !== undefined && world.now < window.until) {
      window.count += world.weight
      return window.count
    }
    if (window === undefined) {
      windowCount++
      if (windowCount > windowsSweepAt) sweepWindows()
    }
    windows[key] = { count: world.weight, until: world.now + seconds }
    return world.weight
  }

  /** The two headers that the log has; rules about other headers are not evaluated. */
  const header = (name: string): string | undefined => {
    const value = name === 'user-agent' ? world.userAgent : name === 'referer' ? world.referer : ''
    return value === '' ? undefined : value
  }

  const visitor = (request: EdgeRequest): string => `${world.agent}:${networkOf(request.addressBytes)}`

  /** The log does not record the mode of a passed challenge, so any pass counts for the required mode. */
  const hasPassed = (request: EdgeRequest): boolean => {
    if (world.bot !== '') return true
    if (!hasPasses) return false
    const at = passes[visitor(request)]
    return at !== undefined && request.time - at < passSeconds
  }

  const world: World = {
    now: 0,
    node: 0,
    weight: 1,
    agent: 0,
    country: 'ZZ',
    score: 0,
    userAgent: '',
    referer: '',
    asn: 0,
    bot: '',
    tried,
    isAsked: false,
    tools: {
      matches: matchesRegex,
      mayMatch: mayMatchRegex,
      formDecoded,
      listed: isListed,
      header,
      // Rows have one value per header.
      repeated: () => undefined,
      headerCount: () => 0,
      // Rows contain no bodies.
      waf: undefined,
      body: () => '',
      answer: () => refused,
      take,
      count,
      isBanned: () => false,
      isUnderAttack: () => false,
      solved: () => {},
      // The address may belong to another network by now.
      asn: (bytes) => (world.asn === 0 ? asnOf(bytes) : world.asn),
      country: () => world.country,
      reputation: () => world.score,
      bot: () => (world.bot === '' ? undefined : world.bot),
      // Rows do not record it.
      scheme: () => 'https',
      // Only needed during an attack, which no back-test simulates.
      hasShownKey: () => false,
      hasPassed,
    },
    pass: (request) => {
      passes[visitor(request)] = request.time
      hasPasses = true
    },
    hasPassed,
  }
  return world
}
