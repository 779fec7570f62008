/**
 * Handshakes that fail because none of our sites has the name, or a certificate for it, counted per address on this
 * node. An address with too many of them within a minute is banned from the zone: all of its handshakes end, including
 * those for our names.
 */
import { raw_client_addr } from 'ngx.ssl'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import { clientKey } from '../nginx/buckets.ts'
import { node } from '../nginx/node.ts'
import { configuration } from '../sites/configuration.ts'
import { banFromZone, bansFromZone, isShutOut } from './zone-bans.ts'

const dict = ngx.shared.handshakes!
const countedSeconds = 60

let proxies: RangeSet | undefined

/** Reads the facts of the node once, when nginx starts. */
export function prepareFailedHandshakes(): void {
  const trusted = node().trustedProxies
  proxies = trusted.length === 0 ? undefined : rangeSet(trusted)
}

/** The address of the peer. Returns undefined if it is a trusted proxy, which brings many visitors. */
function visitor(): string | undefined {
  const [bytes] = raw_client_addr()
  if (bytes === undefined || (bytes.length !== 4 && bytes.length !== 16)) return undefined
  return proxies !== undefined && inRangeSet(proxies, bytes) ? undefined : bytes
}

/** Whether to end a handshake regardless of its name. Like the next function, valid only after `hostEntry`. */
export function endsHandshake(): boolean {
  if (!bansFromZone()) return false
  const bytes = visitor()
  return bytes !== undefined && isShutOut(bytes)
}

/** `name` is the host that the handshake named. */
export function noteFailedHandshake(name: string | undefined): void {
  const most = configuration().tlsLimitCount
  const bytes = most === undefined ? undefined : visitor()
  if (most === undefined || bytes === undefined) return
  const [failed] = dict.incr(`f${clientKey(bytes, false)}`, 1, 0, countedSeconds)
  if (failed !== undefined && failed > most) banFromZone(bytes, 'failedHandshakes', `TLS ${name ?? '(no SNI)'}`)
}
