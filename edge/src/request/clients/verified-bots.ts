/**
 * Bots that are who they say (contract/src/edge/verified-bots.ts): by their networks at once, by their names once the agent
 * has looked them up, beside the requests. Until then, and where it found nothing, a bot is a client like any other.
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
/** Seconds for which a look-up counts, and after which one without an answer is asked for again. */
const verifiedSeconds = 86_400
const refutedSeconds = 3600
const askedSeconds = 15

let botsOf: LiveConfiguration | undefined
let bots: Bot[] | undefined

function botsNow(): Bot[] | undefined {
  const now = configuration()
  if (now !== botsOf) {
    botsOf = now
    bots = now.verifiedBots?.map(({ agent, domains, networks }) => ({
      agent,
      networks: networks.length === 0 ? undefined : rangeSet(networks),
      isNamed: domains.length > 0,
    }))
  }
  return bots
}

const verdictKey = (agent: string, bytes: string): string => `v${agent}:${bytes}`

/** Whether the client is a verified bot. Asked where it would be challenged. */
export function isVerifiedBot(request: EdgeRequest): boolean {
  const known = botsNow()
  const userAgent = known === undefined ? undefined : (ngx.var.http_user_agent as string | undefined)
  if (known === undefined || userAgent === undefined) return false
  for (const bot of known) if (userAgent.indexOf(bot.agent) >= 0 && isOne(bot, request.addressBytes)) return true
  return false
}

function isOne({ agent, networks, isNamed }: Bot, bytes: string): boolean {
  if (networks !== undefined && inRangeSet(networks, bytes)) return true
  if (!isNamed) return false
  const key = verdictKey(agent, bytes)
  const [verdict] = dict.get(key)
  if (verdict === undefined) ask(key, agent, bytes)
  return verdict === 1
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
