/** What a request says of the field of a condition. Texts only; nothing for what it has not. */
import { percentDecoded } from '../../lib/canonical.ts'
import type { EdgeRequest, Tools } from '../../lib/guard.ts'

/** A form's text: `+` is a space. */
const decoded = (text: string): string =>
  percentDecoded(text.indexOf('+') < 0 ? text : text.replaceAll('+', ' '))

/** Where the value of an argument stands that comes after so many bytes of the query; nothing where there is none. */
export type Place = { at: number; value: string }

/** The next argument of a name. Its spelling may be any: names are compared decoded. */
export function nextArgument(query: string, name: string, from: number): Place | undefined {
  let at = from
  while (at < query.length) {
    const next = query.indexOf('&', at)
    const end = next < 0 ? query.length : next
    const equals = query.indexOf('=', at)
    const isValued = equals >= 0 && equals < end
    if (decoded(query.substring(at, isValued ? equals : end)) === name) {
      return { at: end + 1, value: isValued ? decoded(query.substring(equals + 1, end)) : '' }
    }
    at = end + 1
  }
  return undefined
}

/** The next cookie of a name, as it was sent but for spaces and quotes around it. */
export function nextCookie(header: string, name: string, from: number): Place | undefined {
  let at = from
  while (at < header.length) {
    const next = header.indexOf(';', at)
    const end = next < 0 ? header.length : next
    const equals = header.indexOf('=', at)
    const isValued = equals >= 0 && equals < end
    if (header.substring(at, isValued ? equals : end).trim() === name) {
      return { at: end + 1, value: isValued ? header.substring(equals + 1, end).trim() : '' }
    }
    at = end + 1
  }
  return undefined
}

/** Behind the last dot of the last segment, lower case. */
export function extensionOf(path: string): string | undefined {
  let slash = -1
  let dot = -1
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) slash = at
  for (let at = path.indexOf('.', slash + 1); at >= 0; at = path.indexOf('.', at + 1)) dot = at
  return dot < 0 || dot === path.length - 1 ? undefined : path.substring(dot + 1).toLowerCase()
}

const some = (text: string): string | undefined => (text === '' ? undefined : text)

/** The value of a field that has one at most. */
export function valueOf(
  field: string,
  name: string,
  path: string,
  request: EdgeRequest,
  tools: Tools,
): string | undefined {
  if (field === 'path') return path
  if (field === 'method') return request.method
  if (field === 'userAgent') return tools.header('user-agent')
  if (field === 'country') return tools.country()
  if (field === 'header') return tools.header(name)
  if (field === 'query') return some(request.query)
  if (field === 'host') return request.host
  if (field === 'referer') return tools.header('referer')
  if (field === 'extension') return extensionOf(path)
  return field === 'scheme' ? tools.scheme() : undefined
}

const daySeconds = 86_400

/** Of UTC; Monday is the first day. */
export function numberOf(field: string, request: EdgeRequest, tools: Tools): number {
  if (field === 'hour') return Math.floor((request.time % daySeconds) / 3600)
  // The epoch began on a Thursday.
  if (field === 'weekday') return ((Math.floor(request.time / daySeconds) + 3) % 7) + 1
  return tonumber(tools.header('content-length')) ?? 0
}
