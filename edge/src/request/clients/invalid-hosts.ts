/**
 * Requests for hosts that no site has, counted by address on this node. Who asks for too many within a minute gets nothing
 * for ten minutes, whatever it asks for.
 */
import { inRangeSet, type RangeSet } from '../lib/address.ts'
import { clientKey } from '../nginx/buckets.ts'
import { configuration } from '../sites/configuration.ts'

const dict = ngx.shared.handshakes!
const countedSeconds = 60
const shutSeconds = 600

/** Who is at the other end; nothing where that is a proxy, which brings many visitors. */
function visitorKey(proxies: RangeSet | undefined): string | undefined {
  const bytes = ngx.var.binary_remote_addr as string
  return proxies !== undefined && inRangeSet(proxies, bytes) ? undefined : clientKey(bytes, false)
}

/** Whether a request ends whatever it asks for. Valid after `hostEntry`, as the next is. */
export function isShutOut(proxies: RangeSet | undefined): boolean {
  if (configuration().invalidDomainLimitCount === undefined) return false
  const key = visitorKey(proxies)
  if (key === undefined) return false
  const [shut] = dict.get(`h${key}`)
  return shut !== undefined
}

export function noteInvalidHost(proxies: RangeSet | undefined): void {
  const most = configuration().invalidDomainLimitCount
  const key = most === undefined ? undefined : visitorKey(proxies)
  if (most === undefined || key === undefined) return
  const [asked] = dict.incr(`i${key}`, 1, 0, countedSeconds)
  if (asked !== undefined && asked > most) dict.set(`h${key}`, 1, shutSeconds)
}
