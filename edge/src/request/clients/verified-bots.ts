/**
 * Bots that are who they say (contract/src/edge/verified-bots.ts): by their networks at once, by their names once the agent
 * has looked them up, beside the requests. Until then, and where it found nothing, a bot is a client like any other.
 */
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { BotVerdict, ClaimedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { formatAddress, inRangeSet, parseAddress, type RangeSet, rangeSet } from '../lib/address.ts'
import { firstOf } from '../lib/first-of.ts'
import type { EdgeRequest } from '../lib/guard.ts'
import { configuration } from '../sites/configuration.ts'

type Bot = { agent: string; networks: RangeSet | undefined; isNamed: boolean }

const dict = ngx.shared.challenges!
const queue = 'bots'
const queuedMax = 1000
/** Seconds for which a look-up counts, and after which one without an answer is asked for again. */
const verifiedSeconds = 86_400
const refutedSeconds = 3600
const askedSeconds = 15

const botAmong = firstOf(2, isOne)

let botsOf: LiveConfiguration | undefined
let bots: Bot[] | undefined

function botsNow(): Bot[] | undefined {
  const now = configuration()
  if (now !== botsOf) {
    botsOf = now
    const named = now.verifiedBots?.map(({ agent, domains, networks }) => ({
      agent,
      networks: networks.length === 0 ? undefined : rangeSet(networks),
      isNamed: domains.length > 0,
    }))
    bots = botAmong.ready(named)
  }
  return bots
}

const verdictKey = (agent: string, bytes: string): string => `v${agent}:${bytes}`

/** Whether the client is a verified bot. One that is known by name alone is looked up for later requests. */
export function isVerifiedBot(request: EdgeRequest): boolean {
  const known = botsNow()
  const userAgent = known === undefined ? undefined : (ngx.var.http_user_agent as string | undefined)
  if (known === undefined || userAgent === undefined) return false
  const found = botAmong.first(known, request.addressBytes, userAgent)
  return found === true
}

/** The same of a client that Explain is asked about: nobody is looked up for it. */
export function knowsBot(this: void, bytes: string, userAgent: string): boolean {
  for (const { agent, networks, isNamed } of botsNow() ?? [])
    if (userAgent.indexOf(agent) >= 0 && (isOfNetworks(networks, bytes) || (isNamed && verdictOf(agent, bytes) === 1)))
      return true
  return false
}

const isOfNetworks = (networks: RangeSet | undefined, bytes: string): boolean =>
  networks !== undefined && inRangeSet(networks, bytes)

/** What the agent found: 1 for a bot, 0 for none; nothing where it has not looked. */
function verdictOf(agent: string, bytes: string): number | undefined {
  const [verdict] = dict.get(verdictKey(agent, bytes))
  return verdict as number | undefined
}

/** True where it is the bot, nothing where the next one is to be asked. */
function isOne(this: void, { agent, networks, isNamed }: Bot, bytes: string, userAgent: string): true | undefined {
  if (userAgent.indexOf(agent) < 0) return undefined
  if (isOfNetworks(networks, bytes)) return true
  if (!isNamed) return undefined
  const verdict = verdictOf(agent, bytes)
  if (verdict === undefined) ask(verdictKey(agent, bytes), agent, bytes)
  return verdict === 1 ? true : undefined
}

/** Has the agent look up a client that calls itself a bot. Who comes when many wait is asked for with a later request. */
function ask(key: string, agent: string, bytes: string): void {
  const [isNew] = dict.add(`a${key}`, 1, askedSeconds)
  if (isNew !== true) return
  const [waiting] = dict.llen(queue)
  if (waiting !== undefined && waiting < queuedMax) dict.lpush(queue, `${agent} ${formatAddress(bytes)}`)
}

/** Takes what the agent found, and gives it what is to be looked up. */
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
