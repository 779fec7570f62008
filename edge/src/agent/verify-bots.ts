/**
 * Looks up clients that call themselves bots, beside the requests: the name of the address, and the addresses of the name.
 * A name alone is whatever the owner of the address wrote.
 */
import { Resolver } from 'node:dns/promises'
import { type AddressRange, formatRange, parseRange } from '@breakwater/contract/addresses.ts'
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { BotVerdict, VerifiedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'
import { pause } from './retry.ts'

const TURN_MS = 500
/** Look-ups at once. */
const AT_ONCE = 50
/** Names of one address that are looked at. */
const NAMES_MAX = 5
/** There is no such name, or nothing of the kind: that is an answer. */
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

/** Where the name of an address stands. Asked for itself: a look-up by address goes through the machine's own files, and takes no answer for none. */
function reverseName({ family, from }: AddressRange): string {
  if (family === 6) return `${[...from.toString(16).padStart(32, '0')].reverse().join('.')}.ip6.arpa`
  return `${[0n, 8n, 16n, 24n].map((shift) => (from >> shift) & 255n).join('.')}.in-addr.arpa`
}

/** Whether an address has a name of one of the domains that leads back to it. Throws where DNS does not answer. */
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
  /** What the operator set is another. */
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

  async function check(agent: string, address: string) {
    const bot = bots.find((one) => one.agent === agent)
    running += 1
    try {
      if (bot) verdicts.push({ agent, address, isVerified: await isNamedFor(address, bot.domains, lookup) })
    } catch (error) {
      log.info('a bot could not be looked up', { agent, address, reason: reasonOf(error) })
    } finally {
      running -= 1
    }
  }

  return {
    configure(configuration) {
      bots = configuration?.verifiedBots ?? []
    },
    async run(signal) {
      for (; !signal.aborted; await pause(TURN_MS, signal)) {
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
