/**
 * The world that a back-test runs in: its clock is the rows', its buckets and passed challenges are its own. What nodes
 * share is shared, and what each keeps for itself each keeps here.
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

/** Buckets that are empty are let go each time there are so many more of them. */
const sweepAfter = 100_000

export type World = {
  tools: Tools
  /** Of the row that is asked about: its epoch seconds, its node, how many requests it stands for, its user agent. */
  now: number
  node: number
  weight: number
  agent: number
  country: string
  /** The reputation of the row's address; 0 where it has none. */
  score: number
  /** '' where the row has none, or none were asked for. */
  userAgent: string
  referer: string
  /** The number of the network that the row's address was of; 0 where the row says none, as rows of before. */
  asn: number
  /** The verified bot that the row's client was; '' for none. */
  bot: string
  /** The rule of a counting guard that is tried, and whether it was asked about the row. */
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

  /** A bucket that is empty by now is as good as none. */
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

  /** Counts a new key of the row's node; whether the site's budget of them is spent, as `takeLive` does. */
  const isCoarse = (): boolean => {
    const counted = newKeys[world.node]
    if (counted === undefined || world.now >= counted.until) {
      newKeys[world.node] = { count: 1, until: world.now + 60 }
      return false
    }
    counted.count++
    return counted.count > keysPerMinute
  }

  /** A row that stands for ten requests takes ten: as much as one of a bucket that is a tenth of it. */
  const take = (_site: number, rule: string, bytes: string, rate: number, burst: number): boolean => {
    if (rule === world.tried) world.isAsked = true
    const prefix = `${world.node}:${rule}:`
    let key = prefix + clientKey(bytes, false)
    if (levels[key] === undefined && isCoarse()) key = `${prefix}c${clientKey(bytes, true)}`
    return takeFrom(counters, world.now, key, rate / world.weight, burst / world.weight)
  }

  /** As `take`, of a window that began with its first row. */
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

  /** The two that the log has; rules about others are not asked. */
  const header = (name: string): string | undefined => {
    const value = name === 'user-agent' ? world.userAgent : name === 'referer' ? world.referer : ''
    return value === '' ? undefined : value
  }

  const visitor = (request: EdgeRequest): string => `${world.agent}:${networkOf(request.addressBytes)}`

  /** The log does not say which kind of challenge was passed: any is taken for the one that is asked. */
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
      // Rows have one value of each.
      repeated: () => undefined,
      headerCount: () => 0,
      // Rows hold no bodies.
      waf: undefined,
      body: () => '',
      answer: () => refused,
      take,
      count,
      isBanned: () => false,
      isUnderAttack: () => false,
      solved: () => {},
      // An address may have come to another network since.
      asn: (bytes) => (world.asn === 0 ? asnOf(bytes) : world.asn),
      country: () => world.country,
      reputation: () => world.score,
      bot: () => (world.bot === '' ? undefined : world.bot),
      // Rows do not tell it.
      scheme: () => 'https',
      // Asked during an attack alone, which no back-test is in.
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
