/**
 * Handshakes that end because none of ours has the name, or a certificate for it, counted by address on this node. Who
 * has too many of them within a minute is banned from the zone: all of its handshakes end, those for our names too.
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

/** Who is at the other end; nothing where that is a proxy, which brings many visitors. */
function visitor(): string | undefined {
  const [bytes] = raw_client_addr()
  if (bytes === undefined || (bytes.length !== 4 && bytes.length !== 16)) return undefined
  return proxies !== undefined && inRangeSet(proxies, bytes) ? undefined : bytes
}

/** Whether a handshake ends whatever it names. Valid after `hostEntry`, as the next is. */
export function endsHandshake(): boolean {
  if (!bansFromZone()) return false
  const bytes = visitor()
  return bytes !== undefined && isShutOut(bytes)
}

/** `name` is the host that it named. */
export function noteFailedHandshake(name: string | undefined): void {
  const most = configuration().tlsLimitCount
  const bytes = most === undefined ? undefined : visitor()
  if (most === undefined || bytes === undefined) return
  const [failed] = dict.incr(`f${clientKey(bytes, false)}`, 1, 0, countedSeconds)
  if (failed !== undefined && failed > most) banFromZone(bytes, 'failedHandshakes', `TLS ${name ?? '(no SNI)'}`)
}
