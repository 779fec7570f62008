/**
 * May a response be stored, and for how long? Decided once, on the inner hop, from Age, Expires, Cache-Control,
 * CDN-Cache-Control, Vary, Authorization, Set-Cookie and the site's rules; the outer hop obeys (RFC 9111).
 */

import type { StoreReason } from '@breakwater/contract/edge/cache-simulation.ts'
import { trimmed } from '../lib/trimmed.ts'
import { type Directives, parseCacheControl, parseSurrogate, parseTargeted, seconds } from './cache-control.ts'
import type { CacheChoice } from './cache-rules.ts'
import { fitsExtension, isStaticFile } from './content-kind.ts'
import type { CookieKind } from './cookies.ts'
import { heuristicLife } from './heuristic.ts'

export type OriginAnswer = {
  status: number
  /** Headers by lower-case name; several lines are joined by commas. */
  headers: Record<string, string | undefined>
  method: string
  /** The extension of the request's path, lower case; '' for none. */
  extension: string
  hasAuthorization: boolean
  /** The kind of the request's cookies. */
  cookies: CookieKind
  /** The request's Origin header, if any. */
  origin: string | undefined
  /** Request headers by which a front end asks for part of a page. */
  partialHeaders: readonly string[]
  /** Epoch seconds. */
  now: number
}

export type Freshness = {
  /** Why it is stored, or not. */
  why: StoreReason
  /** Whether the outer hop may store it. */
  isStored: boolean
  /** X-Accel-Expires: seconds, `@` and a past time if it must be revalidated, or 0. */
  expires: string
  /** When the response was generated, for Age. */
  birth: number
  /** False if only this request's own headers prevent storing: another visitor's answer may well be stored. */
  isUncacheableForAll: boolean
  /** Whether the answer was not stored because it may be meant for this visitor only. */
  isPersonal: boolean
  /** Whether a stale answer may be used during revalidation or if that fails. */
  mayBeStale: boolean
  /** Seconds for which it may stand in for a failing origin; 0 for none. */
  staleIfError: number
  /** A rule's limits for stale answers, during revalidation and on origin failure; absent if the origin's apply. */
  ruledStale: { whileRevalidate: number | undefined; ifError: number | undefined } | undefined
  /** The Cache-Control for browsers instead of the origin's; absent if the origin's is passed on. */
  browserControl: string | undefined
}

/** Statuses to which a site's own rule applies, unless it lists more; others are stored only if the origin says so. */
const ruled = [200, 203, 204, 300, 301, 308, 404, 410]
const notModified = 304

/** Statuses whose caching requirements we implement (must-understand). */
const understood = [
  200, 203, 204, 206, 300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 410, 414, 500, 501, 502, 503, 504,
]

/** The age assumed if Age is not a single whole number: old enough that nothing is fresh. */
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
  const rule = choice === undefined ? undefined : ruleFor(answer, choice)
  const forbidden = forbiddenBy(answer, control, rule)
  const isForbidden = forbidden !== undefined
  const isPersonal = isForOne(answer, control, targeted !== undefined, rule?.choice)
  const own = lifetime(control, targeted !== undefined, headers, date, parseTime)
  const isOpen = own === undefined && rule?.ttl === undefined
  const guess = isOpen
    ? heuristicLife(answer.status, control, httpDate(headers['last-modified'], parseTime), date)
    : undefined
  const ruledStale = staleOf(rule, control)
  const mayBeStale =
    ruledStale !== undefined || (control['must-revalidate'] === undefined && control['proxy-revalidate'] === undefined)

  let ttl = 0
  let isKeptStale = false
  let why: StoreReason = forbidden ?? (isPersonal ? 'personal' : 'noTime')
  if (!isForbidden && !isPersonal) {
    const life =
      control['no-cache'] !== undefined
        ? 0
        : rule?.ttl === undefined || (rule.choice.respectsOrigin && own !== undefined)
          ? (own ?? guess)
          : rule.ttl + age
    if (life !== undefined) {
      ttl = Math.floor(life - age)
      const hasValidator = headers.etag !== undefined || headers['last-modified'] !== undefined
      isKeptStale = ttl <= 0 && hasValidator && headers.vary === undefined
      const isRules =
        rule?.ttl !== undefined && life === rule.ttl + age && !(rule.choice.respectsOrigin && own !== undefined)
      const word = isRules ? 'rule' : life === guess ? 'heuristic' : 'origin'
      why = ttl > 0 ? word : isKeptStale ? 'askedEachTime' : 'ended'
    }
  }
  return {
    why,
    isStored: ttl > 0 || isKeptStale,
    expires: ttl > 0 ? `${ttl}` : isKeptStale ? `@${now - 1}` : '0',
    birth: now - (age >= ageUnknown ? 0 : age),
    isPersonal: isPersonal && !isForbidden && answer.status < 500,
    isUncacheableForAll: ttl <= 0 && !isKeptStale && !isPersonal && answer.status < 500,
    mayBeStale,
    staleIfError: ttl > 0 && mayBeStale ? staleIfError(ttl, control, ruledStale?.ifError) : 0,
    ruledStale: ttl > 0 ? ruledStale : undefined,
    browserControl:
      rule === undefined || (rule.choice.respectsOrigin && own !== undefined)
        ? undefined
        : browserControl(answer, rule.choice, isPersonal),
  }
}

/** What forbids storing an answer for anybody. */
function forbiddenBy(
  { status, headers, method }: OriginAnswer,
  control: Directives,
  rule: RuleFor | undefined,
): StoreReason | undefined {
  if (rule?.ttl === 0) return 'ruleForbids'
  if (control['no-store'] !== undefined) return 'noStore'
  if (control.private !== undefined) return 'private'
  if (control['must-understand'] !== undefined && !understood.includes(status)) return 'notUnderstood'
  if (headers['set-cookie'] !== undefined) return 'setCookie'
  if ((headers.vary ?? '').indexOf('*') >= 0) return 'varyAll'
  return method !== 'GET' && method !== 'HEAD' ? 'method' : undefined
}

/** A rule as it applies to an answer. `ttl` is 0 if it must not be stored, absent if the origin decides. */
type RuleFor = { choice: CacheChoice; ttl: number | undefined }

/** Returns undefined if the rule does not cover the answer: not worth storing, or not what its URL promises. */
function ruleFor({ status, extension, headers }: OriginAnswer, choice: CacheChoice): RuleFor | undefined {
  const { byPath, respectsOrigin } = choice
  const listed = choice.statuses?.[status]
  const isNew = status !== notModified
  if (listed === undefined && isNew && !ruled.includes(status)) {
    // A rule with TTL 0 that stores only the listed statuses forbids storing all others.
    return choice.ttl === 0 && !respectsOrigin ? { choice, ttl: 0 } : undefined
  }
  const ttl = listed ?? choice.ttl
  if (ttl === 0) return { choice, ttl: respectsOrigin ? undefined : 0 }
  // A stored answer had its type checked when it was stored; a listed error or redirect is meant whatever its content
  // is.
  const isMeant = !isNew || (listed !== undefined && status >= 300)
  return isMeant || fitsExtension(extension, headers['content-type'], byPath) ? { choice, ttl } : undefined
}

/** A rule's limits for stale answers. The origin's `must-revalidate` wins if the rule respects the origin. */
function staleOf(rule: RuleFor | undefined, control: Directives): Freshness['ruledStale'] {
  if (rule === undefined) return undefined
  const { staleWhileRevalidate, staleIfError, respectsOrigin } = rule.choice
  if (staleWhileRevalidate === undefined && staleIfError === undefined) return undefined
  const isRefused = control['must-revalidate'] !== undefined || control['proxy-revalidate'] !== undefined
  return respectsOrigin && isRefused ? undefined : { whileRevalidate: staleWhileRevalidate, ifError: staleIfError }
}

/** Seconds from now on; 0 if neither the rule nor the origin sets any. */
function staleIfError(ttl: number, control: Directives, ruledSeconds: number | undefined): number {
  if (ruledSeconds !== undefined) return ruledSeconds === 0 ? 0 : ttl + ruledSeconds
  const own = control['stale-if-error']
  return own === undefined ? 0 : ttl + (seconds(own) ?? 0)
}

/** The origin's directives that are passed on alongside a rule's browser TTL. */
const passedOn = ['public', 'immutable', 'must-revalidate', 'no-transform']

/** The Cache-Control for browsers if a rule has a TTL for them. What the origin forbids them stays forbidden. */
function browserControl(
  { headers, method }: OriginAnswer,
  { browserTtl }: CacheChoice,
  isPersonal: boolean,
): string | undefined {
  if (browserTtl === undefined || headers['set-cookie'] !== undefined) return undefined
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const said = parseCacheControl(headers['cache-control'])
  if (said['no-store'] !== undefined || said['no-cache'] !== undefined || said.private !== undefined) return undefined
  let told = isPersonal ? `private, max-age=${browserTtl}` : `max-age=${browserTtl}`
  for (const word of passedOn) if (said[word] !== undefined && !(isPersonal && word === 'public')) told += `, ${word}`
  return told
}

/**
 * Whether an answer may be meant for this visitor only. With credentials or a session it is stored only if the origin
 * or a rule explicitly says that everybody may have it; a static file to which the origin gives a lifetime counts as
 * shared.
 */
function isForOne(
  answer: OriginAnswer,
  control: Directives,
  isTargeted: boolean,
  rule: CacheChoice | undefined,
): boolean {
  const { headers } = answer
  const vary = (headers.vary ?? '').toLowerCase()
  const allowed = headers['access-control-allow-origin']
  if (answer.origin !== undefined && allowed === answer.origin && vary.indexOf('origin') < 0) return true
  for (const name of answer.partialHeaders) if (vary.indexOf(name) < 0) return true
  if (rule?.forSignedIn === true) return false
  if (answer.hasAuthorization) return !allowsAuthorized(control)
  if (answer.cookies === 'none' || isTargeted || isPublic(control) || vary.indexOf('cookie') >= 0) return false
  const isFile = isStaticFile(answer.extension, headers['content-type'])
  if (!isFile) return true
  const isOriginsWord = control['max-age'] !== undefined || headers.expires !== undefined
  return answer.cookies === 'session' && !isOriginsWord
}

const isPublic = (control: Directives): boolean => control.public !== undefined || control['s-maxage'] !== undefined

function allowsAuthorized(control: Directives): boolean {
  return isPublic(control) || control['must-revalidate'] !== undefined
}

/** The lifetime that the origin gives its answer. Returns undefined if it gives none. */
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

/** Parses an HTTP date. A date in a zone other than GMT is invalid. */
function httpDate(text: string | undefined, parseTime: (text: string) => number | undefined): number | undefined {
  if (text === undefined) return undefined
  const written = trimmed(text)
  if (!written.endsWith('GMT') && written.length !== 24) return undefined
  return parseTime(text)
}
