/** The route of a request that may pass: through the cache, or straight to an origin, streaming. */

import { objectKey, prefixPurge } from '../delivery/cache-key.ts'
import { cacheChoice } from '../delivery/cache-rules.ts'
import { type EncodingClass, encodingClass } from '../delivery/encoding.ts'
import { look, mark } from '../delivery/marks.ts'
import { urlPurge } from '../delivery/purges.ts'
import type { EdgeRequest } from '../guard.ts'
import type { HostEntry } from '../sites/current.ts'
import type { RequestContext } from './context.ts'
import { keepContext } from './context.ts'
import { setJoined } from './variables.ts'

/** Ends in the location that carries the request on. The cached route is the one we are in: it needs no jump. */
export function takeRoute(context: RequestContext): void {
  const { entry, request } = context
  const vars = ngx.var
  if (request.path !== pathOnWire(vars.request_uri as string)) ngx.req.set_uri(request.path, false, true)
  if (takesCache(context, entry, request)) return
  vars.bw_route = 'direct'
  keepContext()
  ngx.exec('@direct')
}

/** What the visitor wrote as the path; where it is not canonical the origin gets the canonical one. */
function pathOnWire(uri: string): string {
  const [mark] = string.find(uri, '?', 1, true)
  return mark === undefined ? uri : string.sub(uri, 1, mark - 1)
}

/** Six texts that never change: joining them anew would make garbage of every request. */
function variantPrefix(scheme: string, encoding: EncodingClass): string {
  const isTls = scheme === 'https'
  if (encoding === 'br') return isTls ? 'https|br|' : 'http|br|'
  if (encoding === 'gzip') return isTls ? 'https|gzip|' : 'http|gzip|'
  return isTls ? 'https||' : 'http||'
}

function takesCache(context: RequestContext, entry: HostEntry, request: EdgeRequest): boolean {
  const { method } = request
  if (method !== 'GET' && method !== 'HEAD') return false
  const vars = ngx.var
  if (vars.http_upgrade !== undefined) return false
  const length = vars.http_content_length
  if (length !== undefined && length !== '0') return false
  const { site, purges } = entry
  const { rules } = site.cache
  const choice = rules === undefined ? undefined : cacheChoice(rules, request.path)
  if (choice !== undefined && choice.ttl === 0) return false

  const key = objectKey(site.site, request.host, request.path, request.query, choice?.ignoreQuery === true)
  look(key)
  if (mark.uncacheableUntil > request.time) return false
  const url = purges.hasUrls ? urlPurge(key) : 0
  const prefix = purges.prefixes.length === 0 ? 0 : prefixPurge(purges, request.host + request.path)
  const given = vars.http_accept_encoding as string | undefined
  const encoding = encodingClass(given)
  if (given !== undefined && given !== encoding)
    ngx.req.set_header('Accept-Encoding', encoding === '' ? undefined : encoding)
  // nginx would ask for both to hold; HTTP says that the tag alone counts.
  if (vars.http_if_none_match !== undefined) ngx.req.clear_header('If-Modified-Since')
  const isUntouched = url === 0 && prefix === 0 && mark.staleness === 0
  const generations = isUntouched ? purges.untouched : `${purges.all}.${url}.${prefix}.${mark.staleness}|`
  setJoined('bw_key', variantPrefix(vars.scheme as string, encoding), generations, key)
  if (mark.hasOverlay) context.overlayKey = key
  return true
}
