/**
 * Bots whose word is checked: a client that calls itself one is believed where its address is of the bot's networks, or
 * where its name by DNS is of the bot's domains and leads back to the address.
 */
import { z } from 'zod'
import { formatRange, parseRange } from '../addresses.ts'

export const verifiedBotsMax = 50
/** Domains and networks of one bot. */
const placesMax = 200

export const VerifiedBot = z.strictObject({
  /** What the User-Agent contains, as it is written. */
  agent: z.string().min(3).max(64),
  domains: z.array(z.string().max(253)).max(placesMax),
  networks: z.array(z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')).max(placesMax),
})
export type VerifiedBot = z.output<typeof VerifiedBot>

/** A client that calls itself a bot, and what the look-up made of it. */
export const ClaimedBot = z.object({ address: z.string(), agent: z.string() })
export type ClaimedBot = z.output<typeof ClaimedBot>
export type BotVerdict = ClaimedBot & { isVerified: boolean }

const agentPattern = /^[A-Za-z][A-Za-z0-9._-]{2,63}$/
const domainPattern = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/** The bot of a line: what its User-Agent contains, then domains and networks. Nothing where it is none. */
export function parseBot(line: string): VerifiedBot | undefined {
  const [agent = '', ...places] = line.trim().split(/\s+/)
  const bot: VerifiedBot = { agent, domains: [], networks: [] }
  for (const place of places) {
    const range = parseRange(place)
    const domain = place.toLowerCase()
    if (range) bot.networks.push(formatRange(range))
    else if (domainPattern.test(domain)) bot.domains.push(domain)
    else return undefined
  }
  return agentPattern.test(agent) && places.length > 0 && places.length <= placesMax ? bot : undefined
}
