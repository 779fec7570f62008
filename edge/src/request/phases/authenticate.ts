/** Authenticates the sender of a request if a rule of the site requires it, before the cache and the origin. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import { decode } from 'cjson.safe'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { trimmed } from '../lib/trimmed.ts'
import {
  type AuthRule,
  type AuthRules,
  afterScheme,
  challengeOf,
  namedPassword,
  privateControl,
  rulesFor,
  shownKey,
  takePair,
} from '../modules/authentication.ts'
import { endOf, readToken, type TokenTools } from '../modules/bearer-token.ts'
import { authGroup, isPaused, noteFailed } from '../nginx/auth-groups.ts'
import { fromBase64url, sha256 } from '../nginx/crypto.ts'
import { dropHeadersWith } from '../nginx/header-lines.ts'
import { isRemembered, tryPassword } from '../nginx/passwords.ts'
import { remembered } from '../nginx/remembered.ts'
import type { AuthOutcome, RequestContext } from './context.ts'
import { liveTools } from './live-tools.ts'
import { note, respond } from './respond.ts'
import { beginRules } from './rule-cpu-time.ts'
import { cut } from './token-auth.ts'

/** Longer keys and passwords are never stored, so nobody can make the node hash them. */
const shownMax = 512

/**
 * Takes keys out of the query before anything else reads it: guards, the log and the cache see the URL without them.
 */
export function takeKeys(context: RequestContext, auth: AuthRules): void {
  const { path, time } = context.request
  for (const { place, isObserved, forward } of rulesFor(auth, { path, otherPaths: undefined, time }, liveTools)) {
    if (place === undefined || place.in !== 'query' || isObserved || forward) continue
    const { value } = takePair(context.request.query, '&', place.name)
    if (value === undefined) continue
    context.shownKeys ??= {}
    context.shownKeys[place.name] = value
    dropParameter(context, place.name)
  }
}

/**
 * Refuses a request whose sender may not pass and returns true. Otherwise removes the credentials from the request and
 * returns false.
 */
export function authenticate(context: RequestContext, auth: AuthRules): boolean {
  const { request } = context
  const rules = rulesFor(auth, request, liveTools)
  if (rules.length === 0) return false
  // Headers with this prefix may only come from the edge.
  dropHeadersWith('x-auth-')
  for (const rule of rules) {
    const outcome = outcomeOf(rule, context)
    if (outcome === 'passed') continue
    const verdict = verdictOf(rule, outcome)
    if (rule.isObserved) {
      if (context.action === 'pass') note(verdict, 'observe')
      continue
    }
    if (verdict.status === 401) ngx.header['WWW-Authenticate'] = challengeOf(rule, outcome === 'failed')
    respond(request, context.entry.site.revision, verdict)
    return true
  }
  for (const rule of rules) if (!rule.isObserved) admit(context, rule)
  return false
}

/**
 * Whether the request shows keys or tokens that are valid for its URL, under every rule that is enforced there. Names
 * and passwords are not tried: that takes a thread, and a client that has one is a browser.
 */
export function showsKey(this: void, context: RequestContext): boolean {
  const { auth } = context.entry.domain
  if (auth === undefined) return false
  let isShown = false
  for (const rule of rulesFor(auth, context.request, liveTools)) {
    if (rule.isObserved) continue
    if (rule.type === 'basic' || outcomeOf(rule, context) !== 'passed') return false
    isShown = true
  }
  return isShown
}

/** Judged only once per request, so that a failure counts once. */
function outcomeOf(rule: AuthRule, context: RequestContext): AuthOutcome {
  const known = context.outcomes?.[rule.id]
  if (known !== undefined) return known
  const outcome = judge(rule, context)
  context.outcomes ??= {}
  context.outcomes[rule.id] = outcome
  return outcome
}

const statuses: Record<Exclude<AuthOutcome, 'passed'>, number> = { missing: 401, failed: 401, paused: 429, busy: 503 }

function verdictOf({ id }: AuthRule, outcome: Exclude<AuthOutcome, 'passed'>): Verdict {
  const cause = outcome === 'paused' ? causes.rateLimit : causes.accessRule
  return { action: 'block', guard: 'authRules', rule: id, cause, status: statuses[outcome], blockType: 0 }
}

function judge(rule: AuthRule, context: RequestContext): AuthOutcome {
  const { request } = context
  if (rule.type === 'basic') return judgeBasic(rule, request)
  if (rule.type === 'jwt') return judgeToken(rule, request)
  const key = keyOf(rule, context)
  if (key === undefined) return 'missing'
  const group = authGroup(request.site, rule.group)
  if (group !== undefined && key.length <= shownMax && group.keys[sha256(key)] === true) return 'passed'
  return refused(rule, request)
}

/** Counts a failure; a rule that only observes counts none. */
function refused(rule: AuthRule, request: EdgeRequest): AuthOutcome {
  if (rule.isObserved) return 'failed'
  if (isPaused(request.site, rule.group, request.addressBytes)) return 'paused'
  noteFailed(request.site, rule.group, request.addressBytes)
  return 'failed'
}

function judgeBasic(rule: AuthRule, request: EdgeRequest): AuthOutcome {
  const given = afterScheme(ngx.var.http_authorization as string | undefined, 'basic')
  if (given === undefined) return 'missing'
  const pair = given.length > shownMax ? undefined : namedPassword(ngx.decode_base64(given) ?? '')
  const group = authGroup(request.site, rule.group)
  if (pair === undefined || group === undefined) return refused(rule, request)
  const stored = group.passwords[pair.name]
  if (stored !== undefined && isRemembered(pair.name, pair.password, stored, request.time)) return 'passed'
  if (isPaused(request.site, rule.group, request.addressBytes)) return 'paused'
  const verdict = tryPassword(request.site, pair.name, pair.password, stored)
  // Other requests ran on this worker in the meantime.
  beginRules(request.site)
  if (verdict === 'busy') return 'busy'
  return verdict === 'right' ? 'passed' : refused(rule, request)
}

/** Longer tokens are rejected unread. */
const tokenMax = 8192
/** Seconds for which a valid token is not verified again. */
const rememberedFor = 300
const rightTokens = remembered(5000)
const tokenTools: TokenTools = {
  decode: (json) => {
    const [value] = decode(json)
    return value
  },
  fromBase64url,
}

/** Failures are not counted: nobody can guess a signature, and clients with an expired token would be penalized. */
function judgeToken(rule: AuthRule, { site, time }: EdgeRequest): AuthOutcome {
  const given = afterScheme(ngx.var.http_authorization as string | undefined, 'bearer')
  if (given === undefined) return 'missing'
  if (given.length > tokenMax) return 'failed'
  // Includes the version of the group: once a key is removed, its tokens no longer pass, even if they were valid
  // before.
  const known = sha256(`${site} ${rule.group} ${given}`)
  if (rightTokens.has(known, time)) return 'passed'
  const token = readToken(given, tokenTools)
  const key = token && authGroup(site, rule.group)?.signers[token.kid]
  // The key determines the algorithm; the token must name the same one.
  if (token === undefined || key === undefined || token.algorithm !== key.algorithm) return 'failed'
  if (!key.isSigned(token.text, token.signature)) return 'failed'
  const end = endOf(token.claims, key, time)
  if (end === 0) return 'failed'
  rightTokens.keep(known, math.min(end, time + rememberedFor))
  return 'passed'
}

/** The key that the request shows; a key from the query is unescaped. */
function keyOf(rule: AuthRule, { request, shownKeys }: RequestContext): string | undefined {
  const taken = rule.place?.in === 'query' ? shownKeys?.[rule.place.name] : undefined
  const key = taken ?? shownKey(rule, { query: request.query, header: liveTools.header })
  return key === undefined || rule.place?.in !== 'query' ? key : ngx.unescape_uri(key)
}

/**
 * Marks the response as private to authorized visitors, and removes the credentials unless the origin is to receive
 * them.
 */
function admit(context: RequestContext, rule: AuthRule): void {
  context.isProtected = true
  if (rule.forward) return
  const { place } = rule
  if (rule.type !== 'key') ngx.req.clear_header('Authorization')
  else if (place?.in === 'header') ngx.req.clear_header(place.name)
  else if (place?.in === 'cookie') dropCookie(place.name)
  else if (place !== undefined) dropParameter(context, place.name)
}

function dropCookie(name: string): void {
  const { rest } = takePair((ngx.var.http_cookie as string | undefined) ?? '', ';', name)
  const cookies = trimmed(rest)
  if (cookies === '') ngx.req.clear_header('Cookie')
  else ngx.req.set_header('Cookie', cookies)
}

function dropParameter(context: RequestContext, name: string): void {
  const { path, query } = context.request
  const { rest } = takePair(query, '&', name)
  const mark = context.target.indexOf('?')
  const rawPath = mark < 0 ? context.target : context.target.substring(0, mark)
  if (rest !== query) cut(context, { path, rawPath, query: rest })
}

/** Tells downstream caches that a response is for this visitor only. */
export function sayPrivate(): void {
  const told = ngx.header['Cache-Control']
  const control = type(told) === 'table' ? (told as string[]).join(', ') : ((told as string | undefined) ?? '')
  ngx.header['Cache-Control'] = privateControlOf(control)
  ngx.header['CDN-Cache-Control'] = undefined
  ngx.header['Surrogate-Control'] = undefined
}

/** Results of privateControl by Cache-Control value; origins send only a few different ones. */
let privateControls: Record<string, string> = {}
let privateCount = 0
const privateMax = 1000

function privateControlOf(control: string): string {
  const known = privateControls[control]
  if (known !== undefined) return known
  if (privateCount >= privateMax) {
    privateControls = {}
    privateCount = 0
  }
  privateCount++
  privateControls[control] = privateControl(control)
  return privateControls[control]!
}
