/**
 * The cache's two hops: the inner one decides what may be stored and for how long, the outer one tells visitors how old
 * it is.
 */

import { decode, encode } from 'cjson.safe'
import { limitFor } from '../delivery/bandwidth.ts'
import { parseCacheControl } from '../delivery/cache-control.ts'
import {
  allowStale,
  allowsStale,
  markCacheable,
  metadata,
  overlay,
  readMetadata,
  setOverlay,
} from '../delivery/cache-metadata.ts'
import type { Freshness } from '../delivery/freshness.ts'
import { noteTags, tagsOf } from '../delivery/tags.ts'
import { trimmed } from '../lib/trimmed.ts'
import { hasRoom } from '../nginx/disk-room.ts'
import { type HostEntry, hostEntry } from '../sites/site-cache.ts'
import { sayPrivate } from './authenticate.ts'
import { decisionOf, sayCached } from './cache-status.ts'
import { freshnessNow, joinedHeaders, noteUncacheable, objectOf } from './cached-object.ts'
import { allowCompression } from './compression.ts'
import { answerNotModified } from './conditional-requests.ts'
import { dropContext, keepContext, type RequestContext, takeContext } from './context.ts'
import { sayCors } from './cors.ts'
import { interceptedBy } from './error-pages.ts'
import { changeHeaders, sayHsts, sayOnce } from './headers.ts'
import { hiddenIn, noBirth, noControl } from './hidden-control.ts'
import { refusedLeak } from './leak.ts'
import { liveTools } from './live-tools.ts'
import { beginRules } from './rule-cpu-time.ts'
import { endShared, type Fetch, shareBody, shareFetch, shareHead } from './shared-fetch.ts'
import { isLaterSlice, isSlice, judgeSlice } from './slices.ts'
import { addressAsked, noteInterim, type OriginContext, requestId, settle, towardOrigin } from './toward-origin.ts'
import { isStream } from './upgrade.ts'

type FetchContext = { entry: HostEntry; origin: OriginContext | undefined; fetch: Fetch | undefined }

type Headers = Record<string, string | string[] | undefined>

/** The inner hop: joins a running fetch of the same object, or chooses an origin. */
export function fetchNow(): void {
  const fetch = shareFetch(ngx.var.http_x_bw_key as string | undefined)
  const context: Partial<FetchContext> = { fetch }
  ngx.ctx = context
  const entry = hostEntry(ngx.var.host as string)
  if (entry === undefined) {
    ngx.exit(502)
    return
  }
  context.entry = entry
  context.origin = towardOrigin(entry, ngx.var.http_x_bw_address as string, ngx.var.http_x_bw_scheme as string)
  if (context.origin === undefined) {
    ngx.exit(502)
    return
  }
  keepContext()
  const place = entry.site.settings.places.fetch
  if (place !== undefined) ngx.exec(place)
}

/** The inner hop in a location with another compression level. If no origin answers, nginx jumps once more. */
export function fetchAtLevelNow(): void {
  takeContext()
  keepContext()
}

/**
 * nginx took an interim response for the final one. The outer hop asks again, and then the relay reads the response.
 */
function fetchAgain(origin: OriginContext): void {
  noteInterim(origin)
  ngx.status = 200
  ngx.header['X-Accel-Redirect'] = '@again'
}

/** Passes a piece of the body to the requests that wait for the same object. */
export function fetchBodyNow(): void {
  const { fetch } = ngx.ctx as Partial<FetchContext>
  if (fetch?.fd !== undefined) shareBody(fetch, ngx.arg[0] as string, ngx.arg[1] as boolean)
}

/**
 * The outer hop counts the request; here the origin is released, and the readers of a shared body learn that it ended.
 */
export function fetchEndNow(): void {
  dropContext()
  const { origin, fetch } = ngx.ctx as Partial<FetchContext>
  if (origin !== undefined) settle(origin)
  if (fetch !== undefined) endShared(fetch)
}

/** Drops the headers that Connection lists: they are meant for one hop only (RFC 9110, 7.6.1). */
function dropHopHeaders(): void {
  const connection = ngx.var.upstream_http_connection as string | undefined
  if (connection === undefined) return
  for (const part of connection.toLowerCase().split(',')) {
    const name = trimmed(part)
    const isOurs = ['', 'close', 'keep-alive', 'upgrade', 'cache-control', 'date'].includes(name)
    if (!isOurs) ngx.header[name] = undefined
  }
}

/**
 * The inner hop reached no origin: closes the connection if the outer hop may serve a stale object, else calls `tell`.
 */
export function fetchFailedNow(tell: () => void): void {
  takeContext()
  const entry = hostEntry(ngx.var.host as string)
  if (entry !== undefined && refusedLeak(requestId()) === undefined && allowsStale(objectOf(entry).key)) ngx.exit(444)
  else tell()
}

/** The inner hop's response headers. X-Accel-Expires is the only caching decision that the outer hop obeys. */
export function fetchHeadersNow(): void {
  const { entry, fetch, origin } = ngx.ctx as Partial<FetchContext>
  if (entry === undefined) return
  if (ngx.status === 101) {
    // A cached request never switches protocols: the outer hop answers 502.
    ngx.exit(ngx.ERROR)
    return
  }
  if (ngx.status < 200 && origin !== undefined) {
    fetchAgain(origin)
    return
  }
  dropHopHeaders()
  const raw = ngx.resp.get_headers(100, true)
  const headers = joinedHeaders(raw)
  const vars = ngx.var
  const { site } = entry
  const asked = objectOf(entry)
  const { object, key, choice } = asked
  if (ngx.status >= 500 && allowsStale(key)) {
    // The outer nginx serves a stale object if its upstream breaks off, but not if it answers with an error.
    ngx.exit(ngx.ERROR)
    return
  }
  const ofSlice = isSlice()
  if (ofSlice) {
    const verdict = judgeSlice(asked, ngx.status, headers)
    if (verdict === 'break') {
      ngx.exit(ngx.ERROR)
      return
    }
    if (verdict === 'whole') {
      ngx.status = 200
      ngx.header['X-Accel-Redirect'] = '@whole'
      return
    }
  }
  if (interceptedBy(entry, ngx.status) !== undefined) {
    // The outer hop shows the page; the response that it replaces is not stored.
    ngx.header['X-Accel-Redirect'] = `@intercepted${ngx.status}`
    ngx.status = 200
    return
  }
  const now = ngx.time()
  // A slice of an object is stored under the same conditions as the whole.
  const found = freshnessNow(choice, headers, ofSlice && ngx.status === 206 ? 200 : ngx.status)
  const tags = tagsOf(headers['cache-tag'], headers['surrogate-key'])
  const isHead = ngx.req.get_method() === 'HEAD'
  const isStored = found.isStored && !isHead && hasRoom() && (tags.length === 0 || noteTags(site.site, object, tags))
  tellOuter(entry, found, isStored, headers)
  ngx.header['X-Accel-Expires'] = isStored ? found.expires : '0'
  const decision = decisionOf(choice?.id ?? 0, found, isStored, isHead)
  ngx.header[decisionHeader] = decision
  if (isStored && found.staleIfError > 0) allowStale(key, found.staleIfError)
  if (isStored) markCacheable(key)
  else if (ngx.status !== 304 && !(ofSlice && ngx.status === 416)) noteUncacheable(key, found, now)
  const isCompressed = allowCompression(site, headers)
  const variant = `${vars.http_x_bw_scheme}${vars.http_accept_encoding ?? ''}`
  // Slices of one version are renewed together: a 304 for one of them holds for all.
  if (ngx.status === 304) {
    if (!isLaterSlice()) setOverlay(key, variant, renewed(raw, found, decision))
  } else if (isStored && !ofSlice) setOverlay(key, variant, undefined)
  // A response that must be revalidated each time is not shared with other requests.
  if (fetch !== undefined) shareHead(fetch, isStored && !found.expires.startsWith('@'), isCompressed)
}

/**
 * The outer hop's nginx reads Cache-Control too: for its stale extensions, but also for directives that would overrule
 * the decision. A Cache-Control with such a directive travels after the birth instead, and the outer hop puts it back.
 */
function tellOuter(
  entry: HostEntry,
  found: Freshness,
  isStored: boolean,
  headers: Record<string, string | undefined>,
): void {
  // nginx reads the stale directives only if they precede X-Accel-Expires, so that header is removed here and set again
  // at the end.
  ngx.header['X-Accel-Expires'] = undefined
  // nginx holds back data until a buffer is full. Only a stored response needs that, and one with a bandwidth limit,
  // which nginx applies only to what it buffers. Everything else is passed on as it arrives.
  if (!isStored && !isLimited(entry)) ngx.header['X-Accel-Buffering'] = 'no'
  ngx.header['X-BW-Birth'] = `${found.birth}`
  const { origin } = ngx.ctx as Partial<FetchContext>
  const address = origin === undefined ? '' : addressAsked(origin)
  ngx.header['X-BW-Origin'] = `${address} ${ngx.var.upstream_status} ${ngx.var.upstream_header_time}`
  // Meant for caches like this one only, so it is not passed on.
  if (headers['surrogate-control'] !== undefined) ngx.header['Surrogate-Control'] = undefined
  const { browserControl, ruledStale } = found
  if (browserControl !== undefined) {
    ngx.header['Cache-Control'] = browserControl
    ngx.header.Expires = undefined
    ngx.header.Age = undefined
  }
  const control = headers['cache-control']
  if (!isStored || (control === undefined && browserControl === undefined && ruledStale === undefined)) return
  const lower = (control ?? '').toLowerCase()
  const overrules = ['no-cache', 'no-store', 'private'].some((word) => lower.indexOf(word) >= 0)
  if (overrules || browserControl !== undefined || ruledStale !== undefined) {
    const stale = overrules && ruledStale === undefined ? '' : staleWords(found, control)
    ngx.header['Cache-Control'] = stale === '' ? undefined : stale
    const birth = browserControl === undefined ? found.birth : noBirth
    ngx.header['X-BW-Birth'] = `${birth} ${browserControl ?? control ?? noControl}`
  } else if (!found.mayBeStale && lower.indexOf('stale-') >= 0) ngx.header['Cache-Control'] = withoutStale(control!)
}

/** Why the response is stored or not; the outer hop shows it to those who may see it. */
const decisionHeader = 'X-BW-Decision'

/** The stale directives for the outer nginx: those of the rule take precedence over the origin's. */
function staleWords({ ruledStale, mayBeStale }: Freshness, control: string | undefined): string {
  const own = mayBeStale ? parseCacheControl(control) : {}
  const words: string[] = []
  const add = (name: string, ofRule: number | undefined): void => {
    const value = ofRule ?? own[name]
    if (value !== undefined && value !== true) words.push(`${name}=${value}`)
  }
  add('stale-while-revalidate', ruledStale?.whileRevalidate)
  add('stale-if-error', ruledStale?.ifError)
  return words.join(', ')
}

/** Whether a bandwidth limit applies to the current response. */
function isLimited({ site }: HostEntry): boolean {
  if (site.bandwidth === undefined || isStream()) return false
  beginRules(site.site)
  return limitFor(site.bandwidth, ngx.var.uri as string, liveTools) !== undefined
}

function withoutStale(control: string): string {
  return control
    .split(',')
    .filter((part) => part.indexOf('stale-') < 0)
    .join(',')
}

/** Headers that a 304 does not renew: they describe the 304 itself, or the stored body. */
const notRenewed = [
  'content-length',
  'content-encoding',
  'content-md5',
  'content-range',
  'transfer-encoding',
  'connection',
  'x-accel-expires',
  'set-cookie',
  'server',
  'keep-alive',
  'etag',
  'last-modified',
  'x-bw-origin',
  'x-bw-decision',
]

/** Also not renewed if a rule says how long browsers keep the response. */
const notRuled = ['cache-control', 'expires', 'age', 'date']

function renewed(raw: Headers, found: Freshness, decision: string): string {
  const headers: Headers = {}
  const isRuled = found.browserControl !== undefined
  for (const name in raw) {
    const lower = name.toLowerCase()
    if (!notRenewed.includes(lower) && !(isRuled && notRuled.includes(lower))) headers[name] = raw[name]
  }
  if (isRuled) headers['Cache-Control'] = found.browserControl
  headers['X-BW-Birth'] = `${isRuled ? noBirth : found.birth}`
  headers[decisionHeader] = decision
  return encode(headers)
}

/** The outer hop's response headers. */
export function cachedHeadersNow(): void {
  const context = ngx.ctx as RequestContext
  if (context.entry === undefined) return
  const vars = ngx.var
  const status = vars.upstream_cache_status as string | undefined
  context.isHit = status === 'HIT'
  // The slices that follow must be of this version (phases/slices.ts).
  if (context.isSliced) vars.bw_version = (ngx.header.ETag as string | undefined) ?? ''
  const renewedDecision = sayAge(context, status)
  if (context.entry.site.settings.cacheStatus !== undefined) sayCached(context, status, renewedDecision)
  if (status !== 'HIT') answerNotModified()
  sayOnce()
  const { responseHeaders, domain, site } = context.entry
  if (site.settings.hsts !== undefined) sayHsts(site.settings.hsts)
  if (domain.cors !== undefined) sayCors(domain.cors, context)
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
  if (context.request.headers !== undefined) changeHeaders(context.request.headers)
  if (context.isProtected) sayPrivate()
}

let dateOf = 0
let date = ''

/** The current time as an HTTP date, formatted once per second. */
function dateNow(): string {
  const now = ngx.time()
  if (now !== dateOf) {
    dateOf = now
    date = ngx.http_time(now)
  }
  return date
}

/**
 * Sets the response's age, and restores what the inner hop had to hide. Returns the decision of the 304 that renewed
 * it.
 */
function sayAge(context: RequestContext, status: string | undefined): string | undefined {
  const told = ngx.var.upstream_http_x_bw_birth as string | undefined
  if (told === undefined) return undefined
  let birth = tonumber(told)
  if (birth === undefined) {
    const hidden = hiddenIn(told)
    birth = hidden.birth
    ngx.header['Cache-Control'] = hidden.control
  }
  if (status === 'MISS' || status === 'EXPIRED' || status === 'BYPASS') return undefined
  let decision: string | undefined
  const key = context.overlayKey ?? (status === 'REVALIDATED' ? objectOf(context.entry).key : undefined)
  if (key !== undefined) {
    readMetadata(key)
    const json = metadata.hasOverlay ? overlay(key, variantOf()) : undefined
    const [headers] = json === undefined ? [undefined] : decode(json)
    if (headers !== undefined) {
      const renewed = headers as Headers
      birth = applyOverlay(renewed) ?? birth
      decision = renewed[decisionHeader] as string | undefined
    }
  }
  if (birth === noBirth) ngx.header.Date = dateNow()
  else if (status === 'REVALIDATED') {
    ngx.header.Age = '0'
    // nginx 1.26 sets it itself, in addition to the line from the origin's 304.
    ngx.header['Accept-Ranges'] = undefined
  } else if (birth !== undefined) ngx.header.Age = `${math.max(0, ngx.time() - birth)}`
  return decision
}

function variantOf(): string {
  return `${ngx.var.scheme}${ngx.var.http_accept_encoding ?? ''}`
}

function applyOverlay(headers: Headers): number | undefined {
  let birth: number | undefined
  for (const name in headers) {
    if (name === 'X-BW-Birth') birth = tonumber(headers[name] as string)
    else if (name !== decisionHeader) ngx.header[name] = headers[name]
  }
  return birth
}
