/**
 * Looks up clients that claim to be bots, outside the request path: the PTR name of the address, and the addresses of
 * that name. The name alone proves nothing: the owner of the address sets it.
 */
import { Resolver } from 'node:dns/promises'
import { type AddressRange, formatRange, parseRange } from '@breakwater/contract/addresses.ts'
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { BotVerdict, VerifiedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'
import { doorbell } from './retry.ts'

const TURN_MS = 500
/** The same while the operator has no bots to look up. */
const IDLE_MS = 60_000
/** Concurrent lookups. */
const AT_ONCE = 50
/** How many names of one address are checked. */
const NAMES_MAX = 5
/** The name does not exist, or has no such record: a valid answer. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA'])

export type Lookup = Pick<Resolver, 'resolvePtr' | 'resolve4' | 'resolve6'>

async function found(asked: Promise<string[]>): Promise<string[]> {
  try {
    return await asked
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

const canonical = (text: string): string | undefined => {
  const range = parseRange(text)
  return range && formatRange(range)
}

/**
 * The reverse DNS name of an address. Built here for an explicit PTR query: `reverse()` would read the machine's own
 * files, and treat a missing reply as an empty one.
 */
function reverseName({ family, from }: AddressRange): string {
  if (family === 6) return `${[...from.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`
  return `${[0n, 8n, 16n, 24n].map((shift) => (from >> shift) & 255n).join('.')}.in-addr.arpa`
}

/** Whether an address has a name in one of the domains that resolves back to it. Throws if DNS does not answer. */
export async function isNamedFor(address: string, domains: readonly string[], lookup: Lookup): Promise<boolean> {
  const range = parseRange(address)
  if (range === undefined) return false
  const wanted = formatRange(range)
  const names = (await found(lookup.resolvePtr(reverseName(range)))).map((name) =>
    name.toLowerCase().replace(/\.$/, ''),
  )
  const own = names.filter((name) => domains.some((domain) => name.endsWith(`.${domain}`))).slice(0, NAMES_MAX)
  for (const name of own) {
    const addresses = await found(wanted.includes(':') ? lookup.resolve6(name) : lookup.resolve4(name))
    if (addresses.some((text) => canonical(text) === wanted)) return true
  }
  return false
}

export type BotChecks = {
  /** Called when the operator's configuration changes. */
  configure(configuration: NodeConfiguration | undefined): void
  run(signal: AbortSignal): Promise<void>
}

export function botChecks(
  nginx: Pick<Nginx, 'bots'>,
  lookup: Lookup = new Resolver({ timeout: 3000, tries: 2 }),
): BotChecks {
  let bots: readonly VerifiedBot[] = []
  let verdicts: BotVerdict[] = []
  let running = 0
  const bell = doorbell()

  async function check(agent: string, address: string) {
    const bot = bots.find((one) => one.agent === agent)
    running += 1
    try {
      if (!bot) return
      const isVerified = await isNamedFor(address, bot.domains, lookup)
      // Only now is it clear which list is sent next.
      verdicts.push({ agent, address, isVerified })
    } catch (error) {
      log.info('a bot could not be looked up', { agent, address, reason: reasonOf(error) })
    } finally {
      running -= 1
    }
  }

  return {
    configure(configuration) {
      bots = configuration?.verifiedBots ?? []
      bell.ring()
    },
    async run(signal) {
      for (; !signal.aborted; await bell.wait(bots.length === 0 ? IDLE_MS : TURN_MS, signal)) {
        if (bots.length === 0) continue
        const telling = verdicts
        verdicts = []
        try {
          for (const { agent, address } of await nginx.bots(telling, AT_ONCE - running)) void check(agent, address)
        } catch (error) {
          verdicts.push(...telling)
          if (!(error instanceof NginxAway)) log.warn('nginx does not tell of bots', { reason: reasonOf(error) })
        }
      }
    },
  }
}
