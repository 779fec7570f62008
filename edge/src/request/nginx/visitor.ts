/**
 * Who asks: decided here and nowhere else. The socket's address, unless it belongs to a proxy that is believed; then the
 * rightmost address of X-Forwarded-For that no believed proxy has.
 */
import { inRangeSet, parseAddress, type RangeSet } from '../lib/address.ts'

/** What an entry of X-Forwarded-For says, without a port. */
function entryAddress(entry: string): string {
  const text = entry.trim()
  if (text.startsWith('[')) {
    const end = text.indexOf(']')
    return end < 0 ? '' : text.substring(1, end)
  }
  const colon = text.indexOf(':')
  return colon >= 0 && text.indexOf(':', colon + 1) < 0 ? text.substring(0, colon) : text
}

/** Walks back from the socket. What cannot be read ends the walk: the last believed hop is then the visitor. */
export function visitorAddress(
  socket: string,
  socketBytes: string,
  forwarded: string | undefined,
  isTrusted: (bytes: string) => boolean,
): { address: string; bytes: string } {
  let address = socket
  let bytes = socketBytes
  if (forwarded === undefined || !isTrusted(bytes)) return { address, bytes }
  const entries = forwarded.split(',')
  for (let i = entries.length - 1; i >= 0; i--) {
    const text = entryAddress(entries[i]!)
    const parsed = parseAddress(text)
    if (parsed === undefined) break
    address = text
    bytes = parsed
    if (!isTrusted(bytes)) break
  }
  return { address, bytes }
}

/** Whether either set holds an address. */
export function inEither(first: RangeSet | undefined, second: RangeSet | undefined, bytes: string): boolean {
  return (first !== undefined && inRangeSet(first, bytes)) || (second !== undefined && inRangeSet(second, bytes))
}
