/**
 * What a domain's modules do with a request that the guards without a body let pass, in the order in which they run.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { Explanation, GuardStep, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import type { Matching } from '../guards/explain.ts'
import { canonicalPath } from '../lib/canonical.ts'
import { type AuthRules, rulesFor, showsNothing } from '../modules/authentication.ts'
import { findRedirect, locationOf, type Redirects } from '../modules/redirects.ts'
import { findRewrite, type Rewrites, rewritten } from '../modules/rewrites.ts'
import { findSignature, type TokenAuths } from '../modules/token-auth.ts'
import { digests } from '../phases/token-auth.ts'
import type { CompiledDomain } from '../sites/compile.ts'

/** Returns what an expression captures in a path. */
type GroupsOf = (this: void, source: string, path: string) => (string | undefined)[]

const step = (guard: string, outcome: GuardStep['outcome'], rule = 0): GuardStep => ({
  guard,
  phase: 'line',
  outcome,
  rule,
  cause: 0,
})

/** Adds a step for each module of the domain that runs before the guards which read a body. */
export function explainModules(
  explanation: Explanation,
  domain: CompiledDomain,
  given: SimulatedRequest,
  matching: Matching,
  groupsOf: GroupsOf,
): Explanation {
  let told = explanation
  if (domain.cors !== undefined) told = explainCors(told, given)
  if (domain.redirects !== undefined) told = explainRedirect(told, domain.redirects, given, matching, groupsOf)
  if (domain.forceSsl) told = explainForceSsl(told, given)
  if (domain.tokens !== undefined) told = explainToken(told, domain.tokens, given, matching)
  if (domain.auth !== undefined) told = explainAuth(told, domain.auth, given, matching)
  return told
}

function headerOf({ headers }: SimulatedRequest, name: string): string | undefined {
  for (const given in headers) if (given.toLowerCase() === name) return headers[given]
  return undefined
}

/** The edge answers a CORS preflight. */
function explainCors(explanation: Explanation, given: SimulatedRequest): Explanation {
  const { steps, verdict } = explanation
  if (verdict !== 'pass') return { ...explanation, steps: [...steps, step('cors', 'skipped')] }
  const isAsked =
    given.method === 'OPTIONS' &&
    headerOf(given, 'origin') !== undefined &&
    headerOf(given, 'access-control-request-method') !== undefined
  if (!isAsked) return { ...explanation, steps: [...steps, step('cors', 'passed')] }
  return { steps: [...steps, step('cors', 'answer')], verdict: 'answer' }
}

function explainRedirect(
  explanation: Explanation,
  redirects: Redirects,
  given: SimulatedRequest,
  matching: Matching,
  groupsOf: GroupsOf,
): Explanation {
  const { steps, verdict } = explanation
  const path = canonicalPath(given.path)
  if (verdict !== 'pass' || path === undefined)
    return { ...explanation, steps: [...steps, step('urlRedirects', 'skipped')] }
  const rule = findRedirect(redirects, path, matching)
  if (rule === undefined) return { ...explanation, steps: [...steps, step('urlRedirects', 'passed')] }
  const groups = rule.match === 'regex' ? groupsOf(rule.value, path) : []
  return {
    steps: [...steps, step('urlRedirects', 'redirect', rule.id)],
    verdict: 'redirect',
    location: locationOf(rule, { host: given.host, path, query: given.query }, groups),
  }
}

/** Redirects plain HTTP to the same URL over TLS. */
function explainForceSsl(explanation: Explanation, given: SimulatedRequest): Explanation {
  const { steps, verdict } = explanation
  if (verdict !== 'pass') return { ...explanation, steps: [...steps, step('forceSsl', 'skipped')] }
  if (given.scheme !== 'http') return { ...explanation, steps: [...steps, step('forceSsl', 'passed')] }
  const query = given.query === '' ? '' : `?${given.query}`
  return {
    steps: [...steps, step('forceSsl', 'redirect')],
    verdict: 'redirect',
    location: `https://${given.host}${given.path}${query}`,
  }
}

/** The origin gets another URL; everything else uses the visitor's. */
export function explainRewrite(
  explanation: Explanation,
  rewrites: Rewrites,
  given: SimulatedRequest,
  matching: Matching,
  groupsOf: GroupsOf,
): Explanation {
  const { steps, verdict } = explanation
  const path = canonicalPath(given.path)
  if (verdict !== 'pass' || path === undefined)
    return { ...explanation, steps: [...steps, step('proxyRewrites', 'skipped')] }
  const rule = findRewrite(rewrites, path, matching)
  if (rule === undefined) return { ...explanation, steps: [...steps, step('proxyRewrites', 'passed')] }
  return {
    ...explanation,
    steps: [...steps, step('proxyRewrites', 'rewrite', rule.id)],
    originTarget: rewritten(rule.target, { host: given.host, path, query: given.query }, groupsOf(rule.source, path)),
  }
}

/** Explain has no keys: it recognizes a missing or expired signature, and assumes that any other is valid. */
function explainToken(
  explanation: Explanation,
  tokens: TokenAuths,
  given: SimulatedRequest,
  matching: Matching,
): Explanation {
  const { steps, verdict } = explanation
  const path = canonicalPath(given.path)
  if (verdict !== 'pass' || path === undefined)
    return { ...explanation, steps: [...steps, step('tokenAuths', 'skipped')] }
  const url = { path, rawPath: given.path, query: given.query }
  // A log row's URL no longer contains its signature.
  const found = given.isLogged === true ? undefined : findSignature(tokens, url, given.time, matching, digests)
  if (found === undefined || found.isCurrent) return { ...explanation, steps: [...steps, step('tokenAuths', 'passed')] }
  const refused = { ...step('tokenAuths', 'block', found.rule.id), cause: causes.accessRule }
  return { ...explanation, steps: [...steps, refused], verdict: 'block' }
}

/**
 * No keys here either: it recognizes a request without credentials, and assumes that any others are valid. A logged
 * request contains none.
 */
function explainAuth(
  explanation: Explanation,
  auth: AuthRules,
  given: SimulatedRequest,
  matching: Matching,
): Explanation {
  const { steps, verdict } = explanation
  const path = canonicalPath(given.path)
  if (verdict !== 'pass' || path === undefined)
    return { ...explanation, steps: [...steps, step('authRules', 'skipped')] }
  const rules = rulesFor(auth, { path, otherPaths: undefined, time: given.time }, matching)
  const header = (name: string) => headerOf(given, name)
  const asking =
    given.isLogged === true ? [] : rules.filter((rule) => showsNothing(rule, { query: given.query, header }))
  const deciding = asking.find(({ isObserved }) => !isObserved)
  const told = deciding ?? asking[0]
  if (told === undefined) return { ...explanation, steps: [...steps, step('authRules', 'passed')] }
  const outcome = deciding === undefined ? 'observe' : 'block'
  const asked = { ...step('authRules', outcome, told.id), cause: causes.accessRule }
  return { ...explanation, steps: [...steps, asked], verdict: deciding === undefined ? verdict : 'block' }
}
