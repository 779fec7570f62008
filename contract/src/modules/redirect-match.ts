/** How a redirect matches: most expressions only name a path, and those are looked up in a table at once. */

export type RedirectMatch = { match: 'exact' | 'prefix' | 'regex'; value: string }

/** Characters with a special meaning in a regular expression. */
const special = /[\\^$.*+?()[\]{}|]/

/** `^/a\.html$` is that path, `^/a` any path with that prefix; everything else remains a regular expression. */
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
      // An escaped letter or digit is a character class.
      if (escaped === undefined || /[A-Za-z0-9]/.test(escaped)) return regex
      value += escaped
    } else if (special.test(char)) return regex
    else value += char
  }
  return value === '' ? regex : { match: isExact ? 'exact' : 'prefix', value }
}

/** How many capturing groups an expression has. */
export const groupsOf = (urlRegex: string): number => new RegExp(`${urlRegex}|`).exec('')!.length - 1
