/** What the cache would do with a request and its response, by the code that decides live. Stores nothing. */
import type { CacheExplanation, SimulatedAnswer } from '@breakwater/contract/edge/cache-simulation.ts'
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { partialPageHeaders } from '@breakwater/contract/edge/header-names.ts'
import { aroundAlways, aroundByRule } from '../delivery/cache-around.ts'
import type { HeaderSource } from '../delivery/cache-bypass.ts'
import { parseCacheControl, seconds } from '../delivery/cache-control.ts'
import { asked, placeKeys } from '../delivery/cache-key.ts'
import { type CacheChoice, cacheChoice } from '../delivery/cache-rules.ts'
import { usualType } from '../delivery/content-kind.ts'
import { cookieKind } from '../delivery/cookies.ts'
import { type Freshness, freshness } from '../delivery/freshness.ts'
import { strongVersion } from '../delivery/slices.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import { extensionOf } from '../lib/extension.ts'
import { isPlainTarget, readingsOf } from '../lib/request-target.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { base64url, sha256 } from '../nginx/crypto.ts'
import { matchesRegex } from '../nginx/regex.ts'
import { keyedText } from '../phases/cached-object.ts'
import { isCallType } from '../phases/grpc-call.ts'
import { compiledSite } from '../sites/site-cache.ts'

type Question = { artefact: string; request: SimulatedRequest; answer: SimulatedAnswer }

export function simulateCache({ artefact, request, answer }: Question): CacheExplanation {
  const problem = problemOf(hash, artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  const site = compiledSite(artefact)
  const headers: Record<string, string | undefined> = {}
  for (const name in request.headers) headers[name.toLowerCase()] = request.headers[name]
  const source: HeaderSource = { header: (name) => headers[name] }
  const digest = (text: string): string => base64url(sha256(text))
  const keySource = { values: (name: string) => headers[name], digest }

  const { method, query } = request
  const path = canonicalPath(request.path) ?? '/'
  const target = query === '' ? request.path : `${request.path}?${query}`
  const isPlain = isPlainTarget(target, path, query)
  const { rules } = site.cache
  const matching = { matches: matchesRegex }
  const choice = rules === undefined ? undefined : cacheChoice(rules, path, readingsOf(target, path, isPlain), matching)
  const isCall = method === 'POST' && site.settings.hasGrpc && isCallType(headers['content-type'])
  const around = isCall
    ? 'call'
    : (aroundAlways(method, false, false, source) ??
      (choice === undefined ? undefined : aroundByRule(choice, method, query, source)))
  const found = freshness(answerOf(request, answer, path, headers, choice), choice, ngx.parse_http_time)
  const said = answer.headers['cache-control']
  const told = found.browserControl ?? said
  const shared = { rule: choice?.id ?? 0, browserControl: told ?? (undefined as never) }
  if (around !== undefined) {
    return {
      ...shared,
      ...{ around, key: '', isStored: false, why: undefined as never },
      ...{ ttl: 0, staleWhileRevalidate: 0, staleIfError: 0, isSliced: false },
    }
  }
  placeKeys({ site: site.site, host: canonicalHost(request.host), path, query }, target, isPlain, choice, keySource)
  const ttl = found.isStored ? (tonumber(found.expires) ?? 0) : 0
  return {
    ...shared,
    around: undefined as never,
    key: asked.key + keyedText(site.settings.keyedHeaders, keySource),
    isStored: found.isStored && method !== 'HEAD',
    why: found.why,
    ttl,
    isSliced:
      choice?.slices === true && found.isStored && answer.status === 200 && strongVersion(answer.headers) !== undefined,
    ...staleTimes(found, ttl, said),
  }
}

/** Seconds that a stale object may be used after its TTL: the rule's take precedence over the origin's. */
function staleTimes({ ruledStale, mayBeStale }: Freshness, ttl: number, said: string | undefined) {
  const own = mayBeStale && ttl > 0 ? parseCacheControl(said) : {}
  const whileRevalidate = ruledStale?.whileRevalidate ?? seconds(own['stale-while-revalidate']) ?? 0
  // Without stale-if-error, nginx uses stale-while-revalidate for it.
  const ifError = ruledStale?.ifError ?? seconds(own['stale-if-error']) ?? whileRevalidate
  return { staleWhileRevalidate: whileRevalidate, staleIfError: ifError }
}

function answerOf(
  { method, time }: SimulatedRequest,
  { status, headers }: SimulatedAnswer,
  path: string,
  asking: Record<string, string | undefined>,
  choice: CacheChoice | undefined,
) {
  const extension = extensionOf(path)
  const contentType = headers['content-type'] ?? usualType(extension)
  return {
    status,
    headers: { ...headers, 'content-type': contentType },
    method,
    extension,
    hasAuthorization: asking.authorization !== undefined,
    cookies: cookieKind(asking.cookie, choice?.variant?.cookies),
    origin: asking.origin,
    partialHeaders: partialPageHeaders.filter((name) => asking[name] !== undefined),
    now: time,
  }
}
