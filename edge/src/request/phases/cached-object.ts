/** Which object a request asks the cache for, and whether an origin's response may be stored. Used by both hops. */
import { partialPageHeaders } from '@breakwater/contract/edge/header-names.ts'
import { asked, placeKeys } from '../delivery/cache-key.ts'
import { markUncacheable } from '../delivery/cache-metadata.ts'
import { type CacheChoice, cacheChoice } from '../delivery/cache-rules.ts'
import type { KeySource } from '../delivery/cache-variant.ts'
import { cookieKind } from '../delivery/cookies.ts'
import { type Freshness, freshness } from '../delivery/freshness.ts'
import { extensionOf } from '../lib/extension.ts'
import { isPlainTarget, readingsOf } from '../lib/request-target.ts'
import { base64url, sha256 } from '../nginx/crypto.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import { liveTools } from './live-tools.ts'
import { beginRules } from './rule-cpu-time.ts'

/** An object by its canonical URL, the cache key of this spelling of it, and the cache rule that applies. */
export type CachedObject = { object: string; key: string; choice: CacheChoice | undefined }

/** All values of a request header: for a header that was sent twice, nginx's own variable may hold only the first. */
function values(name: string): string | undefined {
  if (name === 'cookie') return ngx.var.http_cookie as string | undefined
  // Without a limit, so that no header can be hidden behind many others.
  return joined(ngx.req.get_headers(0)[name] as string | string[] | undefined)
}

/** What the current request contributes to a cache key. */
export const liveKeySource: KeySource = { values, digest: (text) => base64url(sha256(text)) }

/**
 * The values of the headers that a site includes in its cache keys, as a suffix of the key; '' without such headers.
 */
export const keyedValues = (names: readonly string[] | undefined): string => keyedText(names, liveKeySource)

/** The same for any request. */
export function keyedText(names: readonly string[] | undefined, source: KeySource): string {
  if (names === undefined) return ''
  const all: string[] = []
  for (const name of names) all.push(source.values(name) ?? '')
  return ` ${source.digest(all.join('\n'))}`
}

/** For the current request. */
export function objectOf({ site }: HostEntry): CachedObject {
  const vars = ngx.var
  const path = vars.uri as string
  const query = (vars.args as string | undefined) ?? ''
  const { target = vars.request_uri as string } = ngx.ctx as { target?: string }
  const isPlain = isPlainTarget(target, path, query)
  const { rules } = site.cache
  // Other requests ran since the guards: their time is not charged to this site.
  if (rules !== undefined) beginRules(site.site)
  const choice =
    rules === undefined ? undefined : cacheChoice(rules, path, readingsOf(target, path, isPlain), liveTools)
  const url = { site: site.site, host: vars.host as string, path, query }
  placeKeys(url, target, isPlain, choice, liveKeySource)
  return { choice, object: asked.object, key: asked.key + keyedValues(site.settings.keyedHeaders) }
}

type Headers = Record<string, string | string[] | undefined>

function joined(value: string | string[] | undefined): string | undefined {
  return type(value) === 'table' ? (value as string[]).join(', ') : (value as string | undefined)
}

/** Response headers by lower-case name; several lines are joined by commas. */
export function joinedHeaders(raw: Headers): Record<string, string | undefined> {
  const headers: Record<string, string | undefined> = {}
  for (const name in raw) headers[name.toLowerCase()] = joined(raw[name])
  return headers
}

/** The same headers as nginx's variables. */
const partialPageVars = partialPageHeaders.map((name) => `http_${name.replaceAll('-', '_')}`)

/** Request headers by which a front end asks for part of a page. Uses no closure: LuaJIT does not compile those. */
function partialHeaders(): string[] {
  const found: string[] = []
  for (let n = 0; n < partialPageHeaders.length; n++)
    if (ngx.var[partialPageVars[n]!] !== undefined) found.push(partialPageHeaders[n]!)
  return found
}

/** Whether a response may be meant for this visitor only, judging by the request. */
export function isPersonalRequest(choice: CacheChoice | undefined): boolean {
  const vars = ngx.var
  return (
    vars.http_authorization !== undefined ||
    cookieKind(vars.http_cookie as string | undefined, choice?.variant?.cookies) !== 'none' ||
    partialHeaders().length > 0
  )
}

/** Whether the current response may be stored, and for how long. */
export function freshnessNow(
  choice: CacheChoice | undefined,
  headers: Record<string, string | undefined>,
  status = ngx.status,
): Freshness {
  const vars = ngx.var
  return freshness(
    {
      status,
      headers,
      method: ngx.req.get_method(),
      extension: extensionOf(vars.uri as string),
      hasAuthorization: vars.http_authorization !== undefined,
      cookies: cookieKind(vars.http_cookie as string | undefined, choice?.variant?.cookies),
      origin: vars.http_origin as string | undefined,
      partialHeaders: partialHeaders(),
      now: ngx.time(),
    },
    choice,
    ngx.parse_http_time,
  )
}

/** Remembers that a response could not be stored, so that the next visitors do not wait for each other. */
export function noteUncacheable(key: string, found: Freshness, now: number): void {
  if (found.isUncacheableForAll) markUncacheable(key, now, false)
  else if (found.isPersonal) markUncacheable(key, now, true)
}
