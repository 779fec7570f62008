/** Where a response body ends (RFC 9112, 6.3), according to its head. */
import { trimmed } from './trimmed.ts'

/** `close`: at the end of the connection. */
export type Framing = { body: number | 'chunked' | 'close'; isKept: boolean }

/** `lines` are the lines of a head, starting with the status line. `hasNoBody`: the request was HEAD. */
export function framingOf(lines: readonly string[], status: number, hasNoBody: boolean): Framing {
  let length: number | undefined
  let isChunked = false
  let isEncoded = false
  let isKept = lines[0]!.startsWith('HTTP/1.1')
  for (let n = 1; n < lines.length; n++) {
    const line = lines[n]!
    const colon = line.indexOf(':')
    if (colon < 0) continue
    const name = line.substring(0, colon).toLowerCase()
    if (name === 'content-length') {
      const found = tonumber(trimmed(line.substring(colon + 1)))
      // With two lengths, it is ambiguous where the next response begins.
      if (found === undefined || found < 0 || (length !== undefined && length !== found)) isKept = false
      length = found
    } else if (name === 'transfer-encoding') {
      isEncoded = true
      isChunked = trimmed(line.substring(colon + 1)).toLowerCase() === 'chunked'
    } else if (
      name === 'connection' &&
      line
        .substring(colon + 1)
        .toLowerCase()
        .indexOf('close') >= 0
    )
      isKept = false
  }
  if (isEncoded && length !== undefined) isKept = false
  if (status === 101) return { body: 'close', isKept: false }
  if (hasNoBody || status === 204 || status === 304) return { body: 0, isKept }
  if (isEncoded) return isChunked ? { body: 'chunked', isKept } : { body: 'close', isKept: false }
  return length === undefined || length < 0 ? { body: 'close', isKept: false } : { body: length, isKept }
}
