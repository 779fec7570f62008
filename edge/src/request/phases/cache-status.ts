/**
 * `Cache-Status` (RFC 9211): how the cache handled a request, if the site wants it shown. The inner hop stores its
 * decision with the object; the outer one reports it for hits and misses alike, and adds what applies to this request.
 */
import { aroundAlways, aroundByRule } from '../delivery/cache-around.ts'
import type { Freshness } from '../delivery/freshness.ts'
import { inRangeSet } from '../lib/address.ts'
import { compileRegex, matchesRegex } from '../nginx/regex.ts'
import { freshnessNow, objectOf } from './cached-object.ts'
import type { RequestContext } from './context.ts'
import { liveTools } from './live-tools.ts'

/** The decision stored with the object: when it expires, and why. The first number is 0 if it is not stored. */
export function decisionOf(rule: number, found: Freshness, isStored: boolean, isHead: boolean): string {
  const kept = isStored || !found.isStored
  const why = kept ? found.why : isHead ? 'head' : 'noRoom'
  // A response that must be revalidated each time has already expired.
  const ttl = found.expires.startsWith('@') ? -1 : (tonumber(found.expires) ?? 0)
  return `${isStored ? ngx.time() + ttl : 0} rule=${rule} why=${why}`
}

/** For the cached route. `renewed` is the decision of a 304, which the stored response's own headers do not contain. */
export function sayCached(context: RequestContext, status: string | undefined, renewed: string | undefined): void {
  if (!isShown(context) || status === undefined) return
  const vars = ngx.var
  const decision = renewed ?? (vars.upstream_http_x_bw_decision as string | undefined)
  const space = decision === undefined ? -1 : decision.indexOf(' ')
  const end = space < 0 ? undefined : tonumber(decision!.substring(0, space))
  let said: string
  if (status === 'HIT' || status === 'STALE' || status === 'UPDATING') said = 'hit'
  else if (status === 'REVALIDATED') said = 'fwd=stale; fwd-status=304'
  else said = `fwd=${status === 'EXPIRED' ? 'stale' : 'miss'}; fwd-status=${ngx.status}`
  const isStored = end !== undefined && end > 0
  if (isStored && status === 'MISS') said = `${said}; stored`
  if (isStored) said = `${said}; ttl=${end - ngx.time()}`
  said = `${said}; key=${quoted(vars.bw_key as string)}`
  // For an object in slices, the values describe the first slice that this response needs.
  const slices = context.isSliced ? ' slices' : ''
  say(space < 0 ? said : `${said}; detail="${decision!.substring(space + 1)}${slices}"`)
}

/** For the route that bypasses the cache; `headers` are the origin's. */
export function sayUncached(context: RequestContext, headers: Record<string, string | undefined>): void {
  if (!isShown(context)) return
  const { entry, isRewritten, request } = context
  const { key, choice } = objectOf(entry)
  const rule = `rule=${choice?.id ?? 0}`
  const around =
    aroundAlways(request.method, isRewritten === true, request.originHeaders !== undefined, liveTools) ??
    (choice === undefined ? undefined : aroundByRule(choice, request.method, request.query, liveTools))
  if (around !== undefined) {
    const forward = around === 'method' ? 'method' : 'bypass'
    say(`fwd=${forward}; fwd-status=${ngx.status}; detail="${rule} why=${around}"`)
    return
  }
  // The page is remembered as uncacheable for a while.
  const { why } = freshnessNow(choice, headers)
  say(`fwd=miss; fwd-status=${ngx.status}; key=${quoted(key)}; detail="${rule} why=${why} remembered"`)
}

function isShown({ entry, request }: RequestContext): boolean {
  const shown = entry.site.settings.cacheStatus
  // nginx turns a response into a 416 after this header has been set.
  if (shown === undefined || ngx.status === 416) return false
  return shown.networks === undefined || inRangeSet(shown.networks, request.addressBytes)
}

/** Appended after the entries of caches closer to the origin. */
function say(text: string): void {
  const before = ngx.header['Cache-Status'] as string | string[] | undefined
  const others = type(before) === 'table' ? (before as string[]).join(', ') : (before as string | undefined)
  ngx.header['Cache-Status'] = others === undefined ? `breakwater; ${text}` : `${others}, breakwater; ${text}`
}

let special: ReturnType<typeof compileRegex> | undefined

/** A string in structured fields may hold printable ASCII only; any other key is percent-encoded. */
function quoted(key: string): string {
  special ??= compileRegex('[^ !#-\\[\\]-~]')
  return matchesRegex(special, key) ? `"${ngx.escape_uri(key)}"` : `"${key}"`
}
