/**
 * The canonical form of a path, as nginx makes it for live requests: percent-decoded once, doubled slashes merged, dot
 * segments resolved. Needed where no nginx has read the request line: purges and simulated requests.
 */

function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48
  const lower = code >= 65 && code <= 70 ? code + 32 : code
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

/** Bytes for `%xx`; what is no escape stays as it is. */
export function percentDecoded(text: string): string {
  if (text.indexOf('%') < 0) return text
  let out = ''
  let i = 0
  while (i < text.length) {
    const char = text.charAt(i)
    if (char === '%' && i + 2 < text.length) {
      const high = hexValue(text.charCodeAt(i + 1))
      const low = hexValue(text.charCodeAt(i + 2))
      if (high >= 0 && low >= 0) {
        out += String.fromCharCode(high * 16 + low)
        i += 3
        continue
      }
    }
    out += char
    i++
  }
  return out
}

/** The canonical path, or nothing where its dots lead above the root. */
export function canonicalPath(raw: string): string | undefined {
  return resolvedPath(percentDecoded(raw))
}

/** A decoded path with doubled slashes merged and dot segments resolved; nothing where they lead above the root. */
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

/** A host without its port and trailing dot, lower case. */
export function canonicalHost(raw: string): string {
  const colon = raw.indexOf(':')
  let host = (colon < 0 ? raw : raw.substring(0, colon)).toLowerCase()
  if (host.endsWith('.')) host = host.substring(0, host.length - 1)
  return host
}
