/** The value that a request has for the field of a condition. Undefined if the request lacks it. */
import { percentDecoded } from '../../lib/canonical.ts'
import { extensionOf } from '../../lib/extension.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'

/** Decodes form text, in which `+` is a space. */
const decoded = (text: string): string => percentDecoded(text.indexOf('+') < 0 ? text : text.replaceAll('+', ' '))

/** A value that was found, and the offset at which to look for the next one. */
export type Place = { at: number; value: string }

const [ampersand, semicolon, equals, blank] = [38, 59, 61, 32]

/** The offset of a name that stands between separators exactly as written, or −1 if there is none. */
function findName(text: string, name: string, from: number, separator: number): number {
  const at = text.indexOf(name, from)
  if (at < 0) return -1
  const before = at === 0 ? separator : text.charCodeAt(at - 1)
  const behind = at + name.length
  const next = behind >= text.length ? equals : text.charCodeAt(behind)
  const begins = before === separator || (before === blank && separator === semicolon)
  if (begins && (next === equals || next === separator)) return at
  return findName(text, name, at + 1, separator)
}

/** The value that follows a name found at an offset. */
function placeAt(text: string, name: string, at: number, separator: '&' | ';'): Place {
  const behind = at + name.length
  const found = text.indexOf(separator, behind)
  const end = found < 0 ? text.length : found
  return { at: end + 1, value: text.substring(behind + 1, end) }
}

/** The next argument of a name. Names are compared decoded, so any spelling matches. No loop if nothing is escaped. */
export function nextArgument(query: string, name: string, from: number): Place | undefined {
  if (query.indexOf('%', from) >= 0 || query.indexOf('+', from) >= 0) return nextEscaped(query, name, from)
  const at = findName(query, name, from, ampersand)
  return at < 0 ? undefined : placeAt(query, name, at, '&')
}

function nextEscaped(query: string, name: string, from: number): Place | undefined {
  let at = from
  while (at < query.length) {
    const next = query.indexOf('&', at)
    const end = next < 0 ? query.length : next
    const sign = query.indexOf('=', at)
    const isValued = sign >= 0 && sign < end
    if (decoded(query.substring(at, isValued ? sign : end)) === name) {
      return { at: end + 1, value: isValued ? decoded(query.substring(sign + 1, end)) : '' }
    }
    at = end + 1
  }
  return undefined
}

/** The next cookie of a name, as it was sent. */
export function nextCookie(header: string, name: string, from: number): Place | undefined {
  const at = findName(header, name, from, semicolon)
  return at < 0 ? undefined : placeAt(header, name, at, ';')
}

const some = (text: string): string | undefined => (text === '' ? undefined : text)

/** The value of a field that has at most one. */
export function textOf(
  field: string,
  name: string,
  path: string,
  request: EdgeRequest,
  tools: Tools,
): string | undefined {
  if (field === 'path') return path
  if (field === 'method') return request.method
  if (field === 'userAgent') return tools.header('user-agent')
  if (field === 'country') return tools.country(request.addressBytes)
  if (field === 'header') return tools.header(name)
  if (field === 'query') return some(request.query)
  if (field === 'host') return request.host
  if (field === 'referer') return tools.header('referer')
  if (field === 'extension') return some(extensionOf(path))
  if (field === 'bot') return tools.bot(request)
  return field === 'scheme' ? tools.scheme() : undefined
}

const daySeconds = 86_400

/** In UTC; Monday is day 1. */
export function numberOf(field: string, request: EdgeRequest, tools: Tools): number {
  if (field === 'asn') return tools.asn(request.addressBytes)
  if (field === 'hour') return Math.floor((request.time % daySeconds) / 3600)
  // The Unix epoch began on a Thursday.
  if (field === 'weekday') return ((Math.floor(request.time / daySeconds) + 3) % 7) + 1
  return Number(tools.header('content-length') ?? '0')
}
