/** Targets of redirects and rewrites, with the places in them filled in. Pure. */

const hexDigits = '0123456789ABCDEF'
/** Bytes that stand in a URL's path as they are; everything else, a backslash too, is percent-encoded. */
const plain: Record<number, true> = {}
for (const char of "-._~!$&'()*+,;=:@/".split('')) plain[char.charCodeAt(0)] = true
for (let code = 48; code <= 57; code++) plain[code] = true
for (let code = 65; code <= 90; code++) {
  plain[code] = true
  plain[code + 32] = true
}

export function encodePath(path: string): string {
  // Joined once: a text that grows by the byte takes the square of them.
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

/** `groups` are those of the expression, from the first on. Paths are encoded, so that nothing of a visitor's ends one. */
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
