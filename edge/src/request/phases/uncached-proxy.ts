/** The uncached route: one hop, streaming both ways. An unsafe request that succeeds makes stored objects stale. */
import { objectKey } from '../delivery/cache-key.ts'
import { markCacheable, markStale } from '../delivery/cache-metadata.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import { sayPrivate } from './authenticate.ts'
import { sayUncached } from './cache-status.ts'
import { freshnessNow, joinedHeaders, noteUncacheable, objectOf } from './cached-object.ts'
import { allowCompression } from './compression.ts'
import { answerNotModified } from './conditional-requests.ts'
import type { RequestContext } from './context.ts'
import { keepContext, takeContext } from './context.ts'
import { sayCors } from './cors.ts'
import { interceptedBy, replaceAnswer } from './error-pages.ts'
import { changeHeaders, sayHsts, sayOnce } from './headers.ts'
import { noteInterim, type OriginContext, towardOrigin } from './toward-origin.ts'
import { isUnaskedSwitch } from './upgrade.ts'

type UncachedContext = RequestContext & { origin?: OriginContext; isBroken?: boolean; isEnded?: boolean; page?: string }

export function uncachedNow(): void {
  takeContext()
  const context = ngx.ctx as UncachedContext
  const { entry, request } = context
  const { bw_address: address, scheme } = ngx.var
  context.origin = towardOrigin(entry, address as string, scheme as string, request.originHeaders)
  if (context.origin === undefined) ngx.exit(502)
  // If the origin does not answer, nginx jumps to the page for unreachable origins.
  keepContext()
}

export function uncachedHeadersNow(): void {
  const context = ngx.ctx as UncachedContext
  if (context.entry === undefined) return
  if (ngx.status < 200 && ngx.status !== 101) {
    refuseInterim(context)
    return
  }
  if (isUnaskedSwitch()) {
    ngx.exit(502)
    return
  }
  const { entry, request, isUncacheableEnding } = context
  const { method } = request
  const { site } = entry
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (!isSafe && ngx.status >= 200 && ngx.status < 400) invalidate(context)
  const page = interceptedBy(entry, ngx.status)
  if (page !== undefined) context.page = replaceAnswer(page)
  const headers = joinedHeaders(ngx.resp.get_headers(100, true))
  if (isUncacheableEnding) decideAnew(entry, headers)
  if (isSafe && entry.site.cache.rules?.hasBrowserTtl === true) tellBrowsers(entry, headers)
  if (site.settings.cacheStatus !== undefined) sayUncached(context, headers)
  allowCompression(site, headers)
  if (isSafe) answerNotModified()
  sayOnce()
  const { responseHeaders, domain } = entry
  if (site.settings.hsts !== undefined) sayHsts(site.settings.hsts)
  if (domain.cors !== undefined) sayCors(domain.cors, context)
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
  if (context.request.headers !== undefined) changeHeaders(context.request.headers)
  if (context.isProtected) sayPrivate()
}

/**
 * nginx took an interim response for the final one, from an origin that had sent none so far. The rest cannot be read
 * any more; the next request goes through the relay.
 */
function refuseInterim(context: UncachedContext): void {
  if (context.origin !== undefined) noteInterim(context.origin)
  context.isBroken = true
  ngx.status = 502
  ngx.header['Content-Length'] = '0'
  ngx.header.Connection = 'close'
}

/** Ends a response that cannot be read, or replaces the body with a page; any other body passes unchanged. */
export function uncachedBodyNow(): void {
  const context = ngx.ctx as Partial<UncachedContext>
  if (context.page !== undefined) {
    ngx.arg[0] = context.isEnded === true ? undefined : context.page
    ngx.arg[1] = true
    context.isEnded = true
    return
  }
  if (context.isBroken !== true) return
  if (context.isEnded === true) {
    ngx.exit(ngx.ERROR)
    return
  }
  context.isEnded = true
  ngx.arg[0] = undefined
  ngx.arg[1] = true
}

/** Checks whether the page is still uncacheable, on a response that passes anyway, so that nobody waits for it. */
function decideAnew(entry: HostEntry, headers: Record<string, string | undefined>): void {
  const { key, choice } = objectOf(entry)
  const found = freshnessNow(choice, headers)
  if (found.isStored) markCacheable(key)
  else noteUncacheable(key, found, ngx.time())
}

/** A rule's TTL for browsers also applies to responses that are not stored. */
function tellBrowsers(entry: HostEntry, headers: Record<string, string | undefined>): void {
  const { choice } = objectOf(entry)
  if (choice?.browserTtl === undefined) return
  const { browserControl } = freshnessNow(choice, headers)
  if (browserControl === undefined) return
  ngx.header['Cache-Control'] = browserControl
  ngx.header.Expires = undefined
}

function markBoth(context: RequestContext, path: string, query: string): void {
  const { site, host } = context.request
  markStale(objectKey(site, host, path, query, false))
  markStale(objectKey(site, host, path, '', true))
}

/** Invalidates the URL itself, and those of this host in Location and Content-Location (RFC 9111, 4.4). */
function invalidate(context: RequestContext): void {
  const { request } = context
  markBoth(context, request.path, request.query)
  for (const name of ['location', 'content_location']) {
    const value = ngx.var[`upstream_http_${name}`] as string | undefined
    if (value !== undefined) invalidatePlace(context, value)
  }
}

function invalidatePlace(context: RequestContext, value: string): void {
  let place = value
  const scheme = value.indexOf('://')
  if (scheme >= 0 && scheme < 6) {
    const slash = value.indexOf('/', scheme + 3)
    const host = value.substring(scheme + 3, slash < 0 ? value.length : slash)
    if (canonicalHost(host) !== context.request.host) return
    place = slash < 0 ? '/' : value.substring(slash)
  }
  if (!place.startsWith('/') || place.startsWith('//')) return
  const mark = place.indexOf('?')
  const raw = mark < 0 ? place : place.substring(0, mark)
  markBoth(context, canonicalPath(raw) ?? raw, mark < 0 ? '' : place.substring(mark + 1))
}
