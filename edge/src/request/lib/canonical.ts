/**
 * The canonical form of a path, as nginx produces it for live requests: percent-decoded once, doubled slashes merged,
 * dot segments resolved. Needed where nginx has not parsed the request line: purges and simulated requests.
 */

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code >= 65 && code <= 70 ? code + 32 : code
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** The byte of two hex digits at a position; −1 if they are not hex digits or the text ends before. */
function byteAt(text: string, at: number): number {
  if (at + 1 >= text.length) return -1
  const high = hexValue(text.charCodeAt(at))
  const low = hexValue(text.charCodeAt(at + 1))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

/**
 * Replaces `%xx` by its byte; invalid escapes stay unchanged. Collects pieces and joins them once: a growing string
 * would be copied each time.
 */
export function percentDecoded(text: string): string {
  let at = text.indexOf('%')
  if (at < 0) return text
  const pieces: string[] = []
  let from = 0
  while (at >= 0) {
    const byte = byteAt(text, at + 1)
    if (byte >= 0) {
      if (at > from) pieces.push(text.substring(from, at))
      pieces.push(String.fromCharCode(byte))
      from = at + 3
    }
    at = text.indexOf('%', byte >= 0 ? from : at + 1)
  }
  pieces.push(text.substring(from))
  return pieces.join('')
}

/** The canonical path. Returns undefined if its dot segments lead above the root. */
export function canonicalPath(raw: string): string | undefined {
  return resolvedPath(percentDecoded(raw))
}

/**
 * A decoded path with doubled slashes merged and dot segments resolved. Returns undefined if they lead above the root.
 */
export function resolvedPath(decoded: string): string | undefined {
  const kept: string[] = []
  const parts = decoded.split('/')
  for (let i = 1; i < parts.length; i++) {
    const part = parts[i]!
    const isLast = i === parts.length - 1
    if (part === '..') {
      if (kept.length === 0) return undefined
      kept.pop()
      if (isLast) kept.push('')
    } else if (part === '.' || part === '') {
      if (isLast) kept.push('')
    } else kept.push(part)
  }
  return `/${kept.join('/')}`
}

/** A host in lower case, without its port and trailing dot. */
export function canonicalHost(raw: string): string {
  const colon = raw.indexOf(':')
  let host = (colon < 0 ? raw : raw.substring(0, colon)).toLowerCase()
  if (host.endsWith('.')) host = host.substring(0, host.length - 1)
  return host
}
