/** How a redirect matches: most expressions only name a path, and a table finds those at once. */

export type RedirectMatch = { match: 'exact' | 'prefix' | 'regex'; value: string }

/** Characters that mean something in an expression. */
const special = /[\\^$.*+?()[\]{}|]/

/** `^/a\.html$` is that path, `^/a` whatever begins so; everything else stays an expression. */
export function redirectMatch(urlRegex: string): RedirectMatch {
  const regex = { match: 'regex', value: urlRegex } as const
  if (!urlRegex.startsWith('^')) return regex
  const isExact = /(^|[^\\])(\\\\)*\$$/.test(urlRegex)
  const inner = urlRegex.slice(1, isExact ? -1 : undefined)
  let value = ''
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at]!
    if (char === '\\') {
      const escaped = inner[++at]
      // An escaped letter or digit is a class.
      if (escaped === undefined || /[A-Za-z0-9]/.test(escaped)) return regex
      value += escaped
    } else if (special.test(char)) return regex
    else value += char
  }
  return value === '' ? regex : { match: isExact ? 'exact' : 'prefix', value }
}

/** How many groups an expression captures. */
export const groupsOf = (urlRegex: string): number => new RegExp(`${urlRegex}|`).exec('')!.length - 1
