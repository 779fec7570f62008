/** Chooses the route of a request that may pass: through the cache, or straight to an origin, streaming. */

import { aroundByHeaders, aroundByMethod, aroundByRule } from '../delivery/cache-around.ts'
import { asked, placeKeys, prefixPurge } from '../delivery/cache-key.ts'
import { metadata, readMetadata, uncacheableEndsSoon } from '../delivery/cache-metadata.ts'
import { cacheChoice } from '../delivery/cache-rules.ts'
import { type EncodingClass, encodingClass, isPacked } from '../delivery/encoding.ts'
import { urlPurge } from '../delivery/purges.ts'
import { isWhole } from '../delivery/slices.ts'
import type { EdgeRequest } from '../lib/guard.ts'
import { readingsOf } from '../lib/request-target.ts'
import { expectBody, liveCount } from '../nginx/live-requests.ts'
import { setJoined } from '../nginx/variables.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import { isPersonalRequest, keyedValues, liveKeySource } from './cached-object.ts'
import type { RequestContext } from './context.ts'
import { keepContext } from './context.ts'
import { callPlace } from './grpc-proxy.ts'
import { liveTools } from './live-tools.ts'
import { checkUpgrade } from './upgrade.ts'

/**
 * The number of responses in progress in a worker above which each gets only small buffers: at up to 128 KB each
 * (`output_buffers`), slow readers could fill a node's memory.
 */
const crowd = 256

/** Ends in the location that handles the request. The cached route is the current location, so it needs no jump. */
export function takeRoute(context: RequestContext): void {
  const { entry, request } = context
  const vars = ngx.var
  if (context.isSpecial) checkUpgrade(request.method, entry.site.settings.hasWebsockets)
  if (takesCache(context, entry, request)) {
    if (context.isSliced) {
      vars.bw_target = context.target
      keepContext()
      ngx.exec('@sliced')
      return
    }
    if (context.isSigned) {
      // The inner hop is asked for the URL without its signature.
      vars.bw_target = context.target
      keepContext()
      ngx.exec('@signed')
      return
    }
    if (liveCount() <= crowd) return
    keepContext()
    ngx.exec('@crowded')
    return
  }
  vars.bw_route = 'direct'
  if (context.isCall) {
    keepContext()
    ngx.exec(callPlace(entry))
    return
  }
  expectBody()
  keepContext()
  const { places } = entry.site.settings
  ngx.exec(context.isLimited ? places.limited : places.uncached)
}

/** Constant strings: joining them for each request would create garbage. */
const plainPrefixes: Record<EncodingClass, string> = {
  'br, gzip': 'http|bg|',
  br: 'http|b|',
  gzip: 'http|g|',
  '': 'http||',
}
const tlsPrefixes: Record<EncodingClass, string> = {
  'br, gzip': 'https|bg|',
  br: 'https|b|',
  gzip: 'https|g|',
  '': 'https||',
}

/**
 * Bytes of a URL. A key contains it twice if its spelling is unusual; shared dictionaries accept keys of up to 64 KB.
 */
const cachedTargetMax = 16_384

function takesCache(context: RequestContext, entry: HostEntry, request: EdgeRequest): boolean {
  const { method } = request
  const { isPlain, isSpecial } = context
  const isMarked = request.originHeaders !== undefined
  if (aroundByMethod(method, context.isRewritten === true, isMarked) !== undefined) return false
  if (isSpecial && aroundByHeaders(liveTools) !== undefined) return false
  if (context.target.length > cachedTargetMax) return false
  const vars = ngx.var
  const isConditional = isSpecial && vars.http_if_none_match !== undefined
  const hasRange = isSpecial && vars.http_range !== undefined
  const { site, purges } = entry
  const { rules } = site.cache
  const choice =
    rules === undefined
      ? undefined
      : cacheChoice(rules, request.path, readingsOf(context.target, request.path, isPlain), liveTools)
  if (choice !== undefined && aroundByRule(choice, method, request.query, liveTools) !== undefined) return false

  placeKeys(request, context.target, isPlain, choice, liveKeySource)
  const { object, key: spelled } = asked
  const { keyedHeaders } = site.settings
  const key = keyedHeaders === undefined ? spelled : spelled + keyedValues(keyedHeaders)
  readMetadata(key)
  if (metadata.uncacheableUntil > request.time && (!metadata.isPersonalOnly || isPersonalRequest(choice))) {
    context.isUncacheableEnding = uncacheableEndsSoon(request.time)
    return false
  }
  if (metadata.hasOverlay) context.overlayKey = key
  // An unsafe request makes every spelling of its object stale.
  if (key !== object) readMetadata(object)
  const url = purges.hasUrls ? urlPurge(object) : 0
  const prefix = purges.prefixes.length === 0 ? 0 : prefixPurge(purges, request.host + request.path)
  const given = vars.http_accept_encoding as string | undefined
  const isSliced = choice?.slices === true && !isWhole(key)
  if (isSliced) context.isSliced = true
  // A range refers to the origin's own bytes: in a compressed response it would select others.
  const isIdentity = given === undefined || hasRange || isSliced || isPacked(request.path)
  const encoding = isIdentity ? '' : encodingClass(given)
  if (given !== undefined && given !== encoding)
    ngx.req.set_header('Accept-Encoding', encoding === '' ? undefined : encoding)
  // One stored response serves every page, so the origin must not learn which one asks.
  if (context.corsOrigin !== undefined) ngx.req.clear_header('Origin')
  // nginx would require both conditions to hold; by HTTP only the entity tag counts.
  if (isConditional) ngx.req.clear_header('If-Modified-Since')
  const isUntouched = url === 0 && prefix === 0 && metadata.staleness === 0
  const generations = isUntouched ? purges.untouched : `${purges.all}.${url}.${prefix}.${metadata.staleness}|`
  setJoined('bw_key', (context.isTls ? tlsPrefixes : plainPrefixes)[encoding], generations, key)
  return true
}
