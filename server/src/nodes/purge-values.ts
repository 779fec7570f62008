/** Purge values in the normalised form that server and edge compare: the host, then the path as the edge uses it. */

export type PurgeTarget = { host: string; value: string }

/** Without a scheme, the browser's parser would take the host of `host:port` for a scheme. */
export function parseUrl(text: string): URL | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (/[\s\\\u0000-\u001f\u007f]/.test(text) || /^\/(?!\/)/.test(text)) return undefined
  const absolute = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text.replace(/^\/\//, '')}`
  try {
    const url = new URL(absolute)
    const isPlain = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === ''
    return isPlain && url.hostname !== '' ? url : undefined
  } catch {
    return undefined
  }
}

/** Decoded, without dot segments and double slashes. Undefined if it contains bytes that are not valid text. */
export function canonicalPath(encoded: string): string | undefined {
  let path: string
  try {
    path = decodeURIComponent(encoded)
  } catch {
    return undefined
  }
  if (/\p{Cc}/u.test(path)) return undefined
  const kept: string[] = []
  const segments = path.split('/')
  for (const segment of segments) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  const last = segments.at(-1)
  const isFolder = last === '' || last === '.' || last === '..'
  return `/${kept.join('/')}${isFolder && kept.length > 0 ? '/' : ''}`
}

/** A URL, or the prefix of one, with or without its scheme. Undefined if it is invalid. */
export function purgeTarget(type: 'url' | 'prefix', text: string): PurgeTarget | undefined {
  const url = parseUrl(text)
  const path = url && canonicalPath(url.pathname)
  if (!url || path === undefined) return undefined
  // Objects under a prefix are found by host and path; a query in a prefix would never match.
  if (type === 'prefix' && text.includes('?')) return undefined
  const host = url.hostname.replace(/\.$/, '')
  return { host, value: `${host}${path}${url.search}` }
}

/** Whether a host is one of these names; `*.` matches anything below. */
export function isHostOf(host: string, names: ReadonlySet<string>): boolean {
  if (names.has(host)) return true
  const labels = host.split('.')
  return labels.slice(1).some((_, i) => names.has(`*.${labels.slice(i + 1).join('.')}`))
}

/** A tag as it may appear in an origin's header. */
export const isTag = (text: string): boolean => text.length <= 256 && !/[\p{Cc},]/u.test(text)
