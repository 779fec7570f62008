/**
 * May a response be kept, and for how long? Decided once, on the inner hop, from Age, Expires, Cache-Control,
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
  /** Headers by lower-case name, of several lines joined by commas. */
  headers: Record<string, string | undefined>
  method: string
  /** Of the request's path, lower case; '' for none. */
  extension: string
  hasAuthorization: boolean
  /** What the request's cookies are. */
  cookies: CookieKind
  /** The request's Origin, where it had one. */
  origin: string | undefined
  /** Headers of the request by which a front end asks for a part of a page. */
  partialHeaders: readonly string[]
  /** Epoch seconds. */
  now: number
}

export type Freshness = {
  /** Why it is kept, or is not. */
  why: StoreReason
  /** Whether the outer hop may keep it. */
  isStored: boolean
  /** X-Accel-Expires: seconds, `@` and a past time for what must be revalidated, or 0. */
  expires: string
  /** When the response was made, for Age. */
  birth: number
  /** False where only this request's own headers forbid keeping: another visitor's answer may well be kept. */
  isUncacheableForAll: boolean
  /** Whether the answer was not kept because it may be meant for this visitor alone. */
  isPersonal: boolean
  /** Whether what is stale may be used while it is revalidated or where that fails. */
  mayBeStale: boolean
  /** Seconds for which it may stand in for an origin that fails; 0 for none. */
  staleIfError: number
  /** A rule's word on how long it is used while it is renewed, and in the place of a failing origin; absent where the origin's counts. */
  ruledStale: { whileRevalidate: number | undefined; ifError: number | undefined } | undefined
  /** What browsers are told in the place of the origin's Cache-Control; absent where that passes. */
  browserControl: string | undefined
}

/** Statuses to which a site's own rule applies, unless it lists more; others are kept only where the origin says so. */
const ruled = [200, 203, 204, 300, 301, 308, 404, 410]
const notModified = 304

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

/** What forbids anybody to keep an answer. */
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

/** A rule as it holds for an answer: how long it is stored by it, 0 where it must not be, nothing where the origin's words count. */
type RuleFor = { choice: CacheChoice; ttl: number | undefined }

/** Nothing where a rule says nothing of an answer: it is none worth storing, or not what its URL says. */
function ruleFor({ status, extension, headers }: OriginAnswer, choice: CacheChoice): RuleFor | undefined {
  const { byPath, respectsOrigin } = choice
  const listed = choice.statuses?.[status]
  const isNew = status !== notModified
  if (listed === undefined && isNew && !ruled.includes(status)) {
    // Who stores nothing but what is listed means all else.
    return choice.ttl === 0 && !respectsOrigin ? { choice, ttl: 0 } : undefined
  }
  const ttl = listed ?? choice.ttl
  if (ttl === 0) return { choice, ttl: respectsOrigin ? undefined : 0 }
  // Of what is stored already its head was looked at then; a status that was listed is meant whatever its page is.
  const isMeant = !isNew || (listed !== undefined && status >= 300)
  return isMeant || fitsExtension(extension, headers['content-type'], byPath) ? { choice, ttl } : undefined
}

/** What a rule says of stale answers. The origin's `must-revalidate` stands where the rule respects its words. */
function staleOf(rule: RuleFor | undefined, control: Directives): Freshness['ruledStale'] {
  if (rule === undefined) return undefined
  const { staleWhileRevalidate, staleIfError, respectsOrigin } = rule.choice
  if (staleWhileRevalidate === undefined && staleIfError === undefined) return undefined
  const isRefused = control['must-revalidate'] !== undefined || control['proxy-revalidate'] !== undefined
  return respectsOrigin && isRefused ? undefined : { whileRevalidate: staleWhileRevalidate, ifError: staleIfError }
}

/** Seconds from now on; 0 where nobody said any. */
function staleIfError(ttl: number, control: Directives, ruledSeconds: number | undefined): number {
  if (ruledSeconds !== undefined) return ruledSeconds === 0 ? 0 : ttl + ruledSeconds
  const own = control['stale-if-error']
  return own === undefined ? 0 : ttl + (seconds(own) ?? 0)
}

/** Words of an origin that are passed on beside a rule's time. */
const passedOn = ['public', 'immutable', 'must-revalidate', 'no-transform']

/** What browsers are told where a rule has a time for them. What the origin forbids them stays forbidden. */
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
 * Whether an answer may be meant for this visitor alone. With credentials or a session it is stored only where the origin
 * or a rule says in so many words that everybody may have it; a file that the origin lets live may be everybody's.
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
  const written = trimmed(text)
  if (!written.endsWith('GMT') && written.length !== 24) return undefined
  return parseTime(text)
}
