/**
 * Determines the client address, here and nowhere else. It is the socket's address, unless that belongs to a trusted
 * proxy; then it is the rightmost address of X-Forwarded-For that does not belong to a trusted proxy.
 */

import * as ffi from 'ffi'
import { inRangeSet, type RangeSet, unmapped } from '../lib/address.ts'
import { trimmed } from '../lib/trimmed.ts'

ffi.cdef('int inet_pton(int family, const char *text, void *bytes);')

const [ipv4, ipv6] = [2, 10]
const room = ffi.new('unsigned char[16]')

/**
 * The bytes of an address. Returns undefined if the text is not an address. Calls C, because a loop over the characters
 * would never be compiled into its caller's trace.
 */
function addressBytes(text: string): string | undefined {
  if (text.indexOf(':') < 0) return ffi.C.inet_pton!(ipv4, text, room) === 1 ? ffi.string(room, 4) : undefined
  return ffi.C.inet_pton!(ipv6, text, room) === 1 ? unmapped(ffi.string(room, 16)) : undefined
}

/** The address in an entry of X-Forwarded-For, without a port. */
function entryAddress(entry: string): string {
  const text = trimmed(entry)
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    return end < 0 ? '' : text.substring(1, end)
  }
  const colon = text.indexOf(':')
  return colon >= 0 && text.indexOf(':', colon + 1) < 0 ? text.substring(0, colon) : text
}

/** Trusted proxies: those of the zone and those of the site. */
type Proxies = { zone: RangeSet | undefined; own: RangeSet | undefined }
type ClientAddress = { address: string; bytes: string }

/** Goes back from the socket. An unreadable entry ends the search: the last trusted hop is then the client. */
export function clientAddress(socket: ClientAddress, forwarded: string | undefined, proxies: Proxies): ClientAddress {
  if (forwarded === undefined || !isBelieved(proxies, socket.bytes)) return socket
  // The usual case, without the loop, which would leave the whole phase to the interpreter.
  if (forwarded.indexOf(',') < 0) return hop(forwarded) ?? socket
  const entries = forwarded.split(',')
  let client = socket
  for (let i = entries.length - 1; i >= 0; i--) {
    const before = hop(entries[i]!)
    if (before === undefined) break
    client = before
    if (!isBelieved(proxies, client.bytes)) break
  }
  return client
}

function hop(entry: string): ClientAddress | undefined {
  const address = entryAddress(entry)
  const bytes = addressBytes(address)
  return bytes === undefined ? undefined : { address, bytes }
}

function isBelieved({ zone, own }: Proxies, bytes: string): boolean {
  return (zone !== undefined && inRangeSet(zone, bytes)) || (own !== undefined && inRangeSet(own, bytes))
}
