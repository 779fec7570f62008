/** Targets of redirects and rewrites, with their placeholders filled in. Pure. */

const hexDigits = '0123456789ABCDEF'
/** Bytes that stay as they are in a URL's path; everything else, including a backslash, is percent-encoded. */
const plain: Record<number, true> = {}
for (const char of "-._~!$&'()*+,;=:@/".split('')) plain[char.charCodeAt(0)] = true
for (let code = 48; code <= 57; code++) plain[code] = true
for (let code = 65; code <= 90; code++) {
  plain[code] = true
  plain[code + 32] = true
}

export function encodePath(path: string): string {
  // Joined once at the end: appending byte by byte would take quadratic time.
  const pieces: string[] = []
  let from = 0
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    if (plain[code] === true) continue
    pieces.push(path.substring(from, at), '%', hexDigits.charAt(Math.floor(code / 16)), hexDigits.charAt(code % 16))
    from = at + 1
  }
  if (from === 0) return path
  pieces.push(path.substring(from))
  return pieces.join('')
}

export type Visit = { host: string; path: string; query: string }

/** `groups` are the capture groups, starting with the first. Paths are encoded, so no visitor input can end one. */
export function fillTarget(target: string, visit: Visit, groups: readonly (string | undefined)[]): string {
  let text = ''
  let at = 0
  while (at < target.length) {
    const dollar = target.indexOf('$', at)
    if (dollar < 0) break
    text += target.substring(at, dollar)
    at = dollar + 1
    const rest = target.substring(at)
    if (rest.startsWith('host')) {
      text += visit.host
      at += 4
    } else if (rest.startsWith('path')) {
      text += encodePath(visit.path)
      at += 4
    } else if (rest.startsWith('query')) {
      text += visit.query
      at += 5
    } else {
      text += encodePath(groups[rest.charCodeAt(0) - 49] ?? '')
      at += 1
    }
  }
  return text + target.substring(at)
}
