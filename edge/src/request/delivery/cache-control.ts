/** Parses Cache-Control and related headers, as leniently as HTTP requires and no more. */
import { trimmed } from '../lib/trimmed.ts'

export type Directives = Record<string, string | true>

/** Directives by lower-case name. If a directive occurs twice, the smaller number wins. */
export function parseCacheControl(text: string | undefined): Directives {
  const found: Directives = {}
  if (text === undefined) return found
  for (const piece of splitOutsideQuotes(text)) {
    const part = trimmed(piece)
    if (part === '' || part.startsWith('=') || part.startsWith('"')) continue
    const equals = part.indexOf('=')
    const name = (equals < 0 ? part : part.substring(0, equals)).toLowerCase()
    const value = equals < 0 ? true : unquoted(part.substring(equals + 1))
    const before = found[trimmed(name)]
    if (name !== trimmed(name) && value !== true) continue
    if (before === undefined) found[name] = value
    else if (isSmaller(value, before)) found[name] = value
  }
  return found
}

function isSmaller(value: string | true, than: string | true): boolean {
  const a = seconds(value)
  const b = seconds(than)
  return a !== undefined && b !== undefined && a < b
}

const [quote, comma] = [34, 44]

function splitOutsideQuotes(text: string): string[] {
  if (text.indexOf('"') < 0) return text.split(',')
  const pieces: string[] = []
  // Substrings instead of appending byte by byte, which would take quadratic time.
  let from = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) isQuoted = !isQuoted
    if (code === comma && !isQuoted) {
      pieces.push(text.substring(from, at))
      from = at + 1
    }
  }
  pieces.push(text.substring(from))
  return pieces
}

function unquoted(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    ? value.substring(1, value.length - 1)
    : value
}

/** Parses a number of seconds: digits only, capped at 2^31. */
export function seconds(value: string | true | undefined): number | undefined {
  if (value === undefined || value === true || value === '') return undefined
  let total = 0
  for (let i = 0; i < value.length; i++) {
    const digit = value.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return undefined
    total = Math.min(total * 10 + digit, 2147483648)
  }
  return total
}

/** Our name in Surrogate-Capability. */
const surrogateName = 'breakwater'

/**
 * Surrogate-Control, the older header for caches like ours. A directive may name the cache it is meant for
 * (`max-age=60;name`); those that name another cache are ignored.
 */
export function parseSurrogate(text: string | undefined): Directives | undefined {
  if (text === undefined) return undefined
  const ours: string[] = []
  for (const part of text.split(',')) {
    const semicolon = part.indexOf(';')
    if (semicolon < 0) ours.push(part)
    else if (trimmed(part.substring(semicolon + 1)) === surrogateName) ours.push(part.substring(0, semicolon))
  }
  return parseTargeted(ours.join(','))
}

/** CDN-Cache-Control is a structured field: if it does not parse as one, it is treated as absent. */
export function parseTargeted(text: string | undefined): Directives | undefined {
  if (text === undefined || text.indexOf('&') >= 0 || text.indexOf('@') >= 0 || text.indexOf('!') >= 0) return undefined
  for (let at = text.indexOf('='); at >= 0; at = text.indexOf('=', at + 1)) {
    const next = text.charAt(at + 1)
    const isSpaced = next === ' ' || next === '\t' || (at > 0 && text.charAt(at - 1) === ' ')
    if (isSpaced || (next === '"' && text.substring(Math.max(0, at - 3), at).toLowerCase() === 'age')) return undefined
  }
  const found = parseCacheControl(text)
  for (const name in found) if (name !== '') return found
  return undefined
}
