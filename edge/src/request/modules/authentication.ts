/** Edge authentication: which rules apply to a URL, and which credentials a request carries. Pure. */

import type { AuthRulesPart, EdgeAuthRule } from '@breakwater/contract/edge/auth-rules.ts'
import type { CompileTools, EdgeRequest, Regex, Tools } from '../lib/guard.ts'
import { trimmed } from '../lib/trimmed.ts'

export type AuthRule = EdgeAuthRule & { regex: Regex; isObserved: boolean }
export type AuthRules = {
  rules: readonly AuthRule[]
  /** Whether any rule looks for keys in the query. */
  readsQuery: boolean
}

/** The rules of a domain, in order. */
export function compileAuthRules({ rules }: AuthRulesPart, tools: CompileTools): AuthRules {
  return {
    rules: rules.map((rule) => ({ ...rule, regex: tools.regex(rule.urlRegex), isObserved: rule.mode === 'observe' })),
    readsQuery: rules.some(({ place }) => place?.in === 'query'),
  }
}

function addOfPath(
  found: AuthRule[],
  { rules }: AuthRules,
  path: string,
  time: number,
  tools: Pick<Tools, 'matches'>,
): void {
  for (const rule of rules) {
    if (rule.expiresAt !== undefined && time >= rule.expiresAt) continue
    if (!tools.matches(rule.regex, path)) continue
    if (!found.includes(rule)) found.push(rule)
    // The first enforced rule decides; rules in observe mode do not stop the search.
    if (!rule.isObserved) return
  }
}

/**
 * The rules that a request must satisfy, usually one. If origins may read a path in several ways, the first rule for
 * each reading applies, so that no spelling gets around a rule.
 */
export function rulesFor(
  rules: AuthRules,
  { path, otherPaths, time }: Pick<EdgeRequest, 'path' | 'otherPaths' | 'time'>,
  tools: Pick<Tools, 'matches'>,
): readonly AuthRule[] {
  const found: AuthRule[] = []
  addOfPath(found, rules, path, time, tools)
  if (otherPaths !== undefined) for (const other of otherPaths) addOfPath(found, rules, other, time, tools)
  return found
}

/** What follows the scheme in Authorization. Returns undefined for any other scheme. */
export function afterScheme(header: string | undefined, scheme: string): string | undefined {
  if (header === undefined) return undefined
  const space = header.indexOf(' ')
  if (space < 0 || header.substring(0, space).toLowerCase() !== scheme) return undefined
  return trimmed(header.substring(space + 1))
}

/** User name and password, as a browser sends them (RFC 7617). */
export function namedPassword(decoded: string): { name: string; password: string } | undefined {
  const colon = decoded.indexOf(':')
  if (colon < 0) return undefined
  return { name: decoded.substring(0, colon), password: decoded.substring(colon + 1) }
}

/** A list of pairs without those of one name, and the first value of that name. */
export function takePair(
  text: string,
  separator: '&' | ';',
  name: string,
): { rest: string; value: string | undefined } {
  const kept: string[] = []
  let value: string | undefined
  for (const pair of text.split(separator)) {
    const equals = pair.indexOf('=')
    const given = trimmed(equals < 0 ? pair : pair.substring(0, equals))
    if (given === name) value ??= equals < 0 ? '' : trimmed(pair.substring(equals + 1))
    else kept.push(pair)
  }
  return { rest: kept.join(separator), value }
}

/** From a request: the query as it was sent, and a header by its lower-case name. */
export type Showing = { query: string; header: (this: void, name: string) => string | undefined }

/** The key that a request carries in the place that the rule names, as it was sent. */
export function shownKey({ place }: EdgeAuthRule, { query, header }: Showing): string | undefined {
  if (place === undefined) return undefined
  if (place.in === 'query') return takePair(query, '&', place.name).value
  if (place.in === 'cookie') return takePair(header('cookie') ?? '', ';', place.name).value
  const name = place.name.toLowerCase()
  const given = header(name)
  // In Authorization, a key follows a scheme.
  if (name !== 'authorization') return given
  return afterScheme(given, 'bearer') ?? afterScheme(given, 'apikey') ?? given
}

/** Whether a request carries no credentials that the rule could check. */
export function showsNothing(rule: EdgeAuthRule, showing: Showing): boolean {
  if (rule.type !== 'key')
    return afterScheme(showing.header('authorization'), rule.type === 'basic' ? 'basic' : 'bearer') === undefined
  return shownKey(rule, showing) === undefined
}

/** The WWW-Authenticate value for a visitor who was refused (RFC 9110, 11.6.1). */
export function challengeOf({ type, realm }: EdgeAuthRule, hasFailed: boolean): string {
  const quoted = realm.split('\\').join('\\\\').split('"').join('\\"')
  if (type === 'basic') return `Basic realm="${quoted}", charset="UTF-8"`
  if (type === 'key') return `ApiKey realm="${quoted}"`
  return `Bearer realm="${quoted}"${hasFailed ? ', error="invalid_token"' : ''}`
}

/** Removes the directives for shared caches from an answer that is restricted to some visitors (RFC 9111, 5.2.2). */
export function privateControl(control: string | undefined): string {
  const words = ['private']
  for (const part of (control ?? '').split(',')) {
    const word = trimmed(part)
    const lower = word.toLowerCase()
    const isShared = lower === 'public' || lower.startsWith('s-maxage') || lower === 'proxy-revalidate'
    // `private` and `no-cache` with header names lose the names: the bare word is stricter.
    if (word === '' || isShared || lower.startsWith('private') || lower.indexOf('"') >= 0) continue
    words.push(word)
  }
  return words.join(', ')
}
