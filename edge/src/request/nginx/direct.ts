/** The direct route: one hop, streaming both ways. An unsafe request that succeeds makes stored objects stale. */
import { objectKey } from '../delivery/cache-key.ts'
import { markStale } from '../delivery/marks.ts'
import { type OriginContext, towardOrigin } from '../domains/toward-origin.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import type { RequestContext } from './context.ts'
import { takeContext } from './context.ts'
import { changeHeaders } from './headers.ts'

export function directNow(): void {
  takeContext()
  const context = ngx.ctx as RequestContext & { origin?: OriginContext }
  context.origin = towardOrigin(context.entry, ngx.var.bw_address as string)
  if (context.origin === undefined) ngx.exit(502)
}

export function directHeadersNow(): void {
  const context = ngx.ctx as RequestContext
  if (context.entry === undefined) return
  const { method } = context.request
  const isSafe = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
  if (!isSafe && ngx.status >= 200 && ngx.status < 400) invalidate(context)
  const { responseHeaders } = context.entry
  if (responseHeaders !== undefined) changeHeaders(responseHeaders)
}

function markBoth(context: RequestContext, path: string, query: string): void {
  const { site, host } = context.request
  markStale(objectKey(site, host, path, query, false))
  markStale(objectKey(site, host, path, '', true))
}

/** The URL itself, and those of this host that the answer names as its place (RFC 9111, 4.4). */
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
