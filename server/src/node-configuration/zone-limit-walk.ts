/**
 * Applies a zone's rate limit to the requests of one client after the other, as its nodes do together
 * (`limitedByZone`).
 */
import { passedFactor, passSeconds } from '@breakwater/contract/edge/passed-challenge.ts'
import { zoneBanSeconds } from '@breakwater/contract/edge/zone-bans.ts'

export type WalkedRow = {
  /** The client whose requests are counted together: an IPv4 address, or an IPv6 /64. */
  client: string
  /** When the request arrived, in epoch seconds. */
  came: number
  weight: number
  /** Distinguishes browsers of one client. */
  agent: number
  isBot: boolean
  /** The row is the answer that passed a challenge, and is not counted itself. */
  isPass: boolean
}
export type Walked = 'pass' | 'challenge' | 'block'

/** Rows must be ordered by client and then by time. */
export function walkLimit({ seconds, times }: { seconds: number; times: number }): (row: WalkedRow) => Walked {
  let client: string | undefined
  let counted = 0
  /** A window begins with its first request. */
  let until = 0
  let passes = new Map<number, number>()
  let bannedUntil = 0

  return (row) => {
    if (row.client !== client) {
      client = row.client
      ;[counted, until] = [0, 0]
      passes = new Map()
      bannedUntil = 0
    }
    const { came, weight, agent, isBot, isPass } = row
    if (isPass) {
      passes.set(agent, came)
      return 'pass'
    }
    if (came < bannedUntil) return 'block'
    if (came >= until) [counted, until] = [0, came + seconds]
    counted += weight
    if (counted <= times) return 'pass'
    if (counted <= times * passedFactor) {
      const passedAt = passes.get(agent)
      return isBot || (passedAt !== undefined && came - passedAt < passSeconds) ? 'pass' : 'challenge'
    }
    bannedUntil = came + zoneBanSeconds
    return 'block'
  }
}
