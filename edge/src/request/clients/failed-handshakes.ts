/**
 * Handshakes that end because none of ours has the name, or a certificate for it, counted by address on this node. Who
 * has too many of them within a minute is shut out: all of its handshakes end for ten minutes, those for our names too.
 */
import { raw_client_addr } from 'ngx.ssl'
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'
import { clientKey } from '../nginx/buckets.ts'
import { node } from '../nginx/node.ts'
import { configuration } from '../sites/configuration.ts'

const dict = ngx.shared.handshakes!
const countedSeconds = 60
const shutSeconds = 600

let proxies: RangeSet | undefined

/** Reads the facts of the node once, when nginx starts. */
export function prepareFailedHandshakes(): void {
  const trusted = node().trustedProxies
  proxies = trusted.length === 0 ? undefined : rangeSet(trusted)
}

/** Who is at the other end; nothing where that is a proxy, which brings many visitors. */
function visitorKey(): string | undefined {
  const [bytes] = raw_client_addr()
  if (bytes === undefined || (bytes.length !== 4 && bytes.length !== 16)) return undefined
  return proxies !== undefined && inRangeSet(proxies, bytes) ? undefined : clientKey(bytes, false)
}

/** Whether a handshake ends whatever it names. Valid after `hostEntry`, as the next is. */
export function isShutOut(): boolean {
  if (configuration().tlsLimitCount === undefined) return false
  const key = visitorKey()
  if (key === undefined) return false
  const [shut] = dict.get(`s${key}`)
  return shut !== undefined
}

export function noteFailedHandshake(): void {
  const most = configuration().tlsLimitCount
  const key = most === undefined ? undefined : visitorKey()
  if (most === undefined || key === undefined) return
  const [failed] = dict.incr(`f${key}`, 1, 0, countedSeconds)
  if (failed !== undefined && failed > most) dict.set(`s${key}`, 1, shutSeconds)
}
