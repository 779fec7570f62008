/**
 * Verified bots: a client that claims to be a bot is trusted if its address is in the bot's networks, or if its reverse
 * DNS name is in the bot's domains and resolves back to the address.
 */
import { z } from 'zod'
import { formatRange, parseRange } from '../addresses.ts'

export const verifiedBotsMax = 50
/** The most domains and networks of one bot. */
const placesMax = 200

export const VerifiedBot = z.strictObject({
  /** What the User-Agent contains, case-sensitive. */
  agent: z.string().min(3).max(64),
  domains: z.array(z.string().max(253)).max(placesMax),
  networks: z.array(z.string().refine((text) => parseRange(text) !== undefined, 'not an address range')).max(placesMax),
})
export type VerifiedBot = z.output<typeof VerifiedBot>

/** A client that claims to be a bot, and the result of the lookup. */
export const ClaimedBot = z.object({ address: z.string(), agent: z.string() })
export type ClaimedBot = z.output<typeof ClaimedBot>
export type BotVerdict = ClaimedBot & { isVerified: boolean }

const agentPattern = /^[A-Za-z][A-Za-z0-9._-]{2,63}$/
const domainPattern = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/

/**
 * Parses a line: what the bot's User-Agent contains, then its domains and networks. Returns undefined if the line is
 * invalid.
 */
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
