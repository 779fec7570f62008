/** What a request says of the field of a condition. Texts only; nothing for what it has not. */
import { percentDecoded } from '../../lib/canonical.ts'
import { extensionOf } from '../../lib/extension.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'

/** A form's text: `+` is a space. */
const decoded = (text: string): string => percentDecoded(text.indexOf('+') < 0 ? text : text.replaceAll('+', ' '))

/** Where the value of an argument stands that comes after so many bytes of the query; nothing where there is none. */
export type Place = { at: number; value: string }

const [ampersand, semicolon, equals, blank] = [38, 59, 61, 32]

/** Where a name stands as a whole between separators, as it is written; −1 where it does not stand there like that. */
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

/** The value behind a name that was found. */
function placeAt(text: string, name: string, at: number, separator: '&' | ';'): Place {
  const behind = at + name.length
  const found = text.indexOf(separator, behind)
  const end = found < 0 ? text.length : found
  return { at: end + 1, value: text.substring(behind + 1, end) }
}

/** The next argument of a name. Its spelling may be any: names are compared decoded. Nothing loops where nothing is escaped. */
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

/** The value of a field that has one at most. */
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

/** Of UTC; Monday is the first day. */
export function numberOf(field: string, request: EdgeRequest, tools: Tools): number {
  if (field === 'asn') return tools.asn(request.addressBytes)
  if (field === 'hour') return Math.floor((request.time % daySeconds) / 3600)
  // The epoch began on a Thursday.
  if (field === 'weekday') return ((Math.floor(request.time / daySeconds) + 3) % 7) + 1
  return Number(tools.header('content-length') ?? '0')
}
