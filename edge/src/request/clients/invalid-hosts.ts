/**
 * Requests for unknown hosts, counted per address on this node. An address with too many of them within a minute is
 * banned from the zone.
 */
import { inRangeSet, type RangeSet } from '../lib/address.ts'
import { clientKey } from '../nginx/buckets.ts'
import { configuration } from '../sites/configuration.ts'
import { banFromZone, bansFromZone, isShutOut } from './zone-bans.ts'

const dict = ngx.shared.handshakes!
const countedSeconds = 60

/** The address of the peer. Returns undefined if it is a trusted proxy, which brings many visitors. */
function visitor(proxies: RangeSet | undefined): string | undefined {
  const bytes = ngx.var.binary_remote_addr as string
  return proxies !== undefined && inRangeSet(proxies, bytes) ? undefined : bytes
}

/** Whether to end a request regardless of its URL. Like the next function, valid only after `hostEntry`. */
export function endsRequest(proxies: RangeSet | undefined): boolean {
  if (!bansFromZone()) return false
  const bytes = visitor(proxies)
  return bytes !== undefined && isShutOut(bytes)
}

export function noteInvalidHost(proxies: RangeSet | undefined): void {
  const most = configuration().invalidDomainLimitCount
  const bytes = most === undefined ? undefined : visitor(proxies)
  if (most === undefined || bytes === undefined) return
  const [asked] = dict.incr(`i${clientKey(bytes, false)}`, 1, 0, countedSeconds)
  if (asked !== undefined && asked > most) banFromZone(bytes, 'invalidDomain')
}
