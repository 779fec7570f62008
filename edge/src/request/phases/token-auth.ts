/** Takes the signature out of a URL before anything else reads it, and decides whether the request may go on. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import { decode } from 'cjson.safe'
import type { Verdict } from '../lib/guard.ts'
import { isPlainTarget, rawPathOf } from '../lib/request-target.ts'
import { type Digests, findSignature, mayNeedToken, type TokenAuths } from '../modules/token-auth.ts'
import { base64url, equalBytes, hmac } from '../nginx/crypto.ts'
import { secretOf } from '../nginx/secrets.ts'
import type { RequestContext } from './context.ts'
import { liveTools } from './live-tools.ts'

export const digests: Digests = {
  md5: ngx.md5,
  hmac: (key, text) => base64url(hmac(key, text)),
  isSame: equalBytes,
}

type Keys = Record<string, string[]>
/** By secret and site, so that the JSON is parsed only once. */
let known: Record<string, { text: string; keys: Keys }> = {}
let knownCount = 0
const knownMax = 1000

function keysOf(site: number, secret: string, rule: number): string[] {
  const text = secretOf(site, secret)
  if (text === undefined) return []
  const name = `${site}.${secret}`
  let read = known[name]
  if (read === undefined || read.text !== text) {
    if (knownCount >= knownMax) {
      known = {}
      knownCount = 0
    }
    const [keys] = decode(text)
    read = { text, keys: (keys ?? {}) as Keys }
    known[name] = read
    knownCount++
  }
  return read.keys[`${rule}`] ?? []
}

/**
 * Returns the refusal, which takes effect after the guards, or undefined if the request may go on. From here on, the
 * URL has no signature.
 */
export function takeToken(context: RequestContext, auths: TokenAuths): Verdict | undefined {
  const { request } = context
  if (!mayNeedToken(auths, request.path, liveTools)) return undefined
  const url = { path: request.path, rawPath: rawPathOf(context.target), query: request.query }
  const found = findSignature(auths, url, request.time, liveTools, digests)
  if (found === undefined) return undefined
  if (found.url.path !== url.path || found.url.query !== url.query) cut(context, found.url)
  if (found.isCurrent)
    for (const key of keysOf(request.site, auths.secret, found.rule.id)) {
      if (!found.isOf(key)) continue
      context.isRightlySigned = true
      return undefined
    }
  return {
    ...{ action: 'block', guard: 'tokenAuths', rule: found.rule.id },
    ...{ cause: causes.accessRule, status: 403, blockType: 0 },
  }
}

/** Replaces the URL for everything that follows: without what the edge took from it. */
export function cut(
  context: RequestContext,
  { path, rawPath, query }: { path: string; rawPath: string; query: string },
): void {
  const { request } = context
  if (path !== request.path) ngx.req.set_uri(path, false, true)
  ngx.req.set_uri_args(query)
  request.path = path
  request.query = query
  context.target = query === '' ? rawPath : `${rawPath}?${query}`
  context.isPlain = isPlainTarget(context.target, path, query)
  context.isSigned = true
}
