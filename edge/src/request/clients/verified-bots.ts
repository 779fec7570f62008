/**
 * Verifies bots (contract/src/edge/verified-bots.ts): by their networks at once, by their host names once the agent has
 * looked them up, outside of requests. Until then, or if nothing was found, a bot is a client like any other.
 */
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { BotVerdict, ClaimedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { formatAddress, inRangeSet, parseAddress, type RangeSet, rangeSet } from '../lib/address.ts'
import type { EdgeRequest } from '../lib/guard.ts'
import { configuration } from '../sites/configuration.ts'

type Bot = { agent: string; networks: RangeSet | undefined; isNamed: boolean }

const dict = ngx.shared.challenges!
const queue = 'bots'
const queuedMax = 1000
/**
 * Seconds for which a look-up is valid, positive or negative, and after which one without an answer is requested again.
 */
const verifiedSeconds = 86_400
const refutedSeconds = 3600
const askedSeconds = 15

let botsOf: LiveConfiguration | undefined
let bots: Bot[] | undefined

function botsNow(): Bot[] | undefined {
  const now = configuration()
  if (now !== botsOf) {
    botsOf = now
    claims = {}
    claimsKept = 0
    bots = compileBots(now)
  }
  return bots
}

/** A separate function: one that creates closures is not compiled. */
function compileBots({ verifiedBots }: LiveConfiguration): Bot[] | undefined {
  return verifiedBots?.map(({ agent, domains, networks }) => ({
    agent,
    networks: networks.length === 0 ? undefined : rangeSet(networks),
    isNamed: domains.length > 0,
  }))
}

const verdictKey = (agent: string, bytes: string): string => `v${agent}:${bytes}`

/** The bots that recent User-Agents claim to be; false for none, the usual case. */
let claims: Record<string, Bot[] | false> = {}
let claimsKept = 0
const claimsMax = 500
/** Longer User-Agents are not cached. */
const agentMax = 256

function botsIn(userAgent: string, known: Bot[]): Bot[] | false {
  const claimed = known.filter(({ agent }) => userAgent.indexOf(agent) >= 0)
  const found = claimed.length === 0 ? false : claimed
  if (userAgent.length > agentMax) return found
  if (claimsKept >= claimsMax) {
    claims = {}
    claimsKept = 0
  }
  claimsKept++
  claims[userAgent] = found
  return found
}

/** The zone's bots that the client claims to be. Without a loop if its User-Agent was seen before. */
function claimedBots(): Bot[] | false {
  const known = botsNow()
  if (known === undefined) return false
  const userAgent = ngx.var.http_user_agent as string | undefined
  if (userAgent === undefined) return false
  return claims[userAgent] ?? botsIn(userAgent, known)
}

/**
 * The verified bot that the client is. If its name has not been looked up yet, returns undefined and requests a look-up
 * from the agent.
 */
export function verifiedBot(request: EdgeRequest): string | undefined {
  const claimed = claimedBots()
  return claimed === false ? undefined : firstVerified(claimed, request.addressBytes, true)
}

/** The same without requesting a look-up: for the log, which nobody waits for. */
export function knownBot(request: EdgeRequest): string | undefined {
  const claimed = claimedBots()
  return claimed === false ? undefined : firstVerified(claimed, request.addressBytes, false)
}

/** The same for a client in a request to Explain. */
export function knownBotOf(this: void, addressBytes: string, userAgent: string): string | undefined {
  const known = botsNow()
  const claimed = known === undefined ? false : botsIn(userAgent, known)
  return claimed === false ? undefined : firstVerified(claimed, addressBytes, false)
}

function firstVerified(claimed: Bot[], bytes: string, asks: boolean): string | undefined {
  for (const bot of claimed) if (isOne(bot, bytes, asks)) return bot.agent
  return undefined
}

function isOne({ agent, networks, isNamed }: Bot, bytes: string, asks: boolean): boolean {
  if (networks !== undefined && inRangeSet(networks, bytes)) return true
  if (!isNamed) return false
  const key = verdictKey(agent, bytes)
  const [verdict] = dict.get(key)
  if (verdict === undefined && asks) ask(key, agent, bytes)
  return verdict === 1
}

/**
 * Requests a look-up of a client that claims to be a bot. If too many are waiting, one of its later requests does it.
 */
function ask(key: string, agent: string, bytes: string): void {
  const [isNew] = dict.add(`a${key}`, 1, askedSeconds)
  if (isNew !== true) return
  const [waiting] = dict.llen(queue)
  if (waiting !== undefined && waiting < queuedMax) dict.lpush(queue, `${agent} ${formatAddress(bytes)}`)
}

/** Takes the agent's findings, and returns the clients to look up. */
export function exchangeBots(verdicts: BotVerdict[], most: number): ClaimedBot[] {
  for (const { agent, address, isVerified } of verdicts) {
    const bytes = parseAddress(address)
    if (bytes !== undefined)
      dict.set(verdictKey(agent, bytes), isVerified ? 1 : 0, isVerified ? verifiedSeconds : refutedSeconds)
  }
  const claimed: ClaimedBot[] = []
  while (claimed.length < most) {
    const [text] = dict.rpop(queue)
    if (text === undefined) break
    const [agent, address] = (text as string).split(' ')
    claimed.push({ agent: agent!, address: address! })
  }
  return claimed
}
