/**
 * May a response be kept, and for how long? Decided once, on the inner hop, from Age, Expires, Cache-Control,
 * CDN-Cache-Control, Vary, Authorization, Set-Cookie and the site's rules; the outer hop obeys (RFC 9111).
 */

import { type Directives, parseCacheControl, parseSurrogate, parseTargeted, seconds } from './cache-control.ts'
import type { CacheChoice } from './cache-rules.ts'

export type OriginAnswer = {
  status: number
  /** Headers by lower-case name, of several lines joined by commas. */
  headers: Record<string, string | undefined>
  method: string
  hasAuthorization: boolean
  /** Epoch seconds. */
  now: number
}

export type Freshness = {
  /** Whether the outer hop may keep it. */
  isStored: boolean
  /** X-Accel-Expires: seconds, `@` and a past time for what must be revalidated, or 0. */
  expires: string
  /** When the response was made, for Age. */
  birth: number
  /** False where only this request's own headers forbid keeping: another visitor's answer may well be kept. */
  isUncacheableForAll: boolean
  /** Whether what is stale may be used while it is revalidated or where that fails. */
  mayBeStale: boolean
  /** Seconds for which it may stand in for an origin that fails; 0 for none. */
  staleIfError: number
}

/** Statuses to which a site's own rule applies; others are kept only where the origin says so. */
const ruled = [200, 203, 204, 300, 301, 308, 404, 410]

/** Statuses whose rules for caches we follow (must-understand). */
const understood = [
  200, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504,
]

/** What an Age stands for that is not one whole number: old enough that nothing is fresh. */
const ageUnknown = 2147483648

export function freshness(
  answer: OriginAnswer,
  choice: CacheChoice | undefined,
  parseTime: (text: string) => number | undefined,
): Freshness {
  const { headers, now } = answer
  const targeted = parseTargeted(headers['cdn-cache-control']) ?? parseSurrogate(headers['surrogate-control'])
  const control = targeted ?? parseCacheControl(headers['cache-control'])
  const date = httpDate(headers.date, parseTime) ?? now
  const age = Math.max(headers.age === undefined ? 0 : (seconds(headers.age) ?? ageUnknown), now - date)
  const isForbidden =
    control['no-store'] !== undefined ||
    control.private !== undefined ||
    (control['must-understand'] !== undefined && !understood.includes(answer.status)) ||
    headers['set-cookie'] !== undefined ||
    (headers.vary ?? '').indexOf('*') >= 0 ||
    (answer.method !== 'GET' && answer.method !== 'HEAD')
  const isPersonal = answer.hasAuthorization && !allowsAuthorized(control)
  const mayBeStale = control['must-revalidate'] === undefined && control['proxy-revalidate'] === undefined

  let ttl = 0
  let isKeptStale = false
  if (!isForbidden && !isPersonal) {
    const isRuled = choice !== undefined && choice.ttl > 0 && ruled.includes(answer.status)
    const life =
      control['no-cache'] !== undefined
        ? 0
        : isRuled
          ? choice.ttl + age
          : lifetime(control, targeted !== undefined, headers, date, parseTime)
    if (life !== undefined) {
      ttl = Math.floor(life - age)
      const hasValidator = headers.etag !== undefined || headers['last-modified'] !== undefined
      isKeptStale = ttl <= 0 && hasValidator && headers.vary === undefined
    }
  }
  return {
    isStored: ttl > 0 || isKeptStale,
    expires: ttl > 0 ? `${ttl}` : isKeptStale ? `@${now - 1}` : '0',
    birth: now - (age >= ageUnknown ? 0 : age),
    isUncacheableForAll: ttl <= 0 && !isKeptStale && !isPersonal && answer.status < 500,
    mayBeStale,
    staleIfError:
      ttl > 0 && mayBeStale && control['stale-if-error'] !== undefined
        ? ttl + (seconds(control['stale-if-error']) ?? 0)
        : 0,
  }
}

function allowsAuthorized(control: Directives): boolean {
  return control.public !== undefined || control['s-maxage'] !== undefined || control['must-revalidate'] !== undefined
}

/** How long the origin lets its answer live; nothing where it does not say. */
function lifetime(
  control: Directives,
  isTargeted: boolean,
  headers: OriginAnswer['headers'],
  date: number,
  parseTime: (text: string) => number | undefined,
): number | undefined {
  if (isTargeted) return seconds(control['max-age'])
  if (control['s-maxage'] !== undefined) return seconds(control['s-maxage']) ?? 0
  if (control['max-age'] !== undefined) return seconds(control['max-age']) ?? 0
  const expires = headers.expires
  if (expires === undefined) return undefined
  const at = httpDate(expires, parseTime)
  return at === undefined ? 0 : Math.max(0, at - date)
}

/** A date of HTTP. What names another zone than GMT is none. */
function httpDate(text: string | undefined, parseTime: (text: string) => number | undefined): number | undefined {
  if (text === undefined) return undefined
  const trimmed = text.trim()
  if (!trimmed.endsWith('GMT') && trimmed.length !== 24) return undefined
  return parseTime(text)
}
