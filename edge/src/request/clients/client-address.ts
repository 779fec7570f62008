/**
 * The client address: decided here and nowhere else. The socket's address, unless it belongs to a proxy that is believed; then the
 * rightmost address of X-Forwarded-For that no believed proxy has.
 */

import * as ffi from 'ffi'
import { inRangeSet, type RangeSet, unmapped } from '../lib/address.ts'
import { trimmed } from '../lib/trimmed.ts'

ffi.cdef('int inet_pton(int family, const char *text, void *bytes);')

const [ipv4, ipv6] = [2, 10]
const room = ffi.new('unsigned char[16]')

/** The bytes of an address, or nothing where the text is none: asked of C, as a loop over its characters is never compiled with what it is part of. */
function addressBytes(text: string): string | undefined {
  if (text.indexOf(':') < 0) return ffi.C.inet_pton!(ipv4, text, room) === 1 ? ffi.string(room, 4) : undefined
  return ffi.C.inet_pton!(ipv6, text, room) === 1 ? unmapped(ffi.string(room, 16)) : undefined
}

/** What an entry of X-Forwarded-For says, without a port. */
function entryAddress(entry: string): string {
  const text = trimmed(entry)
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    return end < 0 ? '' : text.substring(1, end)
  }
  const colon = text.indexOf(':')
  return colon >= 0 && text.indexOf(':', colon + 1) < 0 ? text.substring(0, colon) : text
}

/** Believed proxies: those of the zone and those of the site. */
type Proxies = { zone: RangeSet | undefined; own: RangeSet | undefined }
type ClientAddress = { address: string; bytes: string }

/** Walks back from the socket. What cannot be read ends the walk: the last trusted hop is then the client. */
export function clientAddress(socket: ClientAddress, forwarded: string | undefined, proxies: Proxies): ClientAddress {
  if (forwarded === undefined || !isBelieved(proxies, socket.bytes)) return socket
  // As most are, and without the loop, which would have the whole phase interpreted.
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
