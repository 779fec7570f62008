/** Signed URLs: parses the signature, removes it from the URL, and checks it. Pure: digests and keys are passed in. */
import type { EdgeTokenAuth, TokenAuthsPart } from '@breakwater/contract/edge/module-parts.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'

type Rule = EdgeTokenAuth & { regex: Regex }
export type TokenAuths = { secret: string; rules: Rule[] }

export function compileTokenAuths({ secret, rules }: TokenAuthsPart, tools: CompileTools): TokenAuths {
  return { secret, rules: ready(rules.map((rule) => ({ ...rule, regex: tools.regex(rule.urlRegex) }))) }
}

/** How many rules LuaJIT reliably compiles into one trace. */
const rulesInTrace = 4

/** Whether a path may begin with a signature whose parts have these two lengths. */
const beginsSigned = (path: string, first: number, second: number): boolean =>
  path.charAt(first + 1) === '/' && path.charAt(first + second + 2) === '/'

/** If the signature is part of the path, the rule applies to the path without it, which is not known yet. */
function mayMean(this: void, rule: Rule, path: string, tools: Pick<Tools, 'matches'>): Rule | undefined {
  if (rule.kind === 'B' && beginsSigned(path, 12, 32)) return rule
  if (rule.kind === 'C' && beginsSigned(path, 32, 8)) return rule
  return tools.matches(rule.regex, path) ? rule : undefined
}

const { first: firstThatMay, ready } = firstOf<Rule, string, Pick<Tools, 'matches'>, Rule>(rulesInTrace, mayMean)

/** Whether any rule may apply to a path. Runs for most requests, so it allocates nothing. */
export function mayNeedToken({ rules }: TokenAuths, path: string, tools: Pick<Tools, 'matches'>): boolean {
  const rule = firstThatMay(rules, path, tools)
  return rule !== undefined
}

/** A URL: its canonical path, its path as sent, its query. */
export type SignedUrl = { path: string; rawPath: string; query: string }

/** A URL without its signature, and the contents of the signature; `time` is in epoch seconds. */
type Token = { url: SignedUrl; time: number; digest: string; texts: (this: void, path: string, key: string) => string }

/** Digests, encoded as in signatures. */
export type Digests = {
  md5: (this: void, text: string) => string
  hmac: (this: void, key: string, text: string) => string
  isSame: (this: void, one: string, other: string) => boolean
}

const isDigits = (text: string, count: number): boolean => {
  if (text.length !== count) return false
  for (let at = 0; at < count; at++) {
    const code = text.charCodeAt(at)
    if (code < 48 || code > 57) return false
  }
  return true
}

/** The query without the named parameters, and the first value of each. */
function cutQuery(query: string, names: readonly string[]): { query: string; values: (string | undefined)[] } {
  const values: (string | undefined)[] = names.map(() => undefined)
  const kept: string[] = []
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=')
    const place = names.indexOf(equals < 0 ? pair : pair.substring(0, equals))
    if (place < 0) kept.push(pair)
    else values[place] ??= equals < 0 ? '' : pair.substring(equals + 1)
  }
  return { query: kept.join('&'), values }
}

function inQuery(url: SignedUrl, names: readonly string[]): { url: SignedUrl; values: (string | undefined)[] } {
  const { query, values } = cutQuery(url.query, names)
  return { url: { path: url.path, rawPath: url.rawPath, query }, values }
}

/** Cuts two leading path segments with the lengths of a signature. Returns undefined if the path begins differently. */
function inPath(
  url: SignedUrl,
  first: number,
  second: number,
): { url: SignedUrl; one: string; two: string } | undefined {
  const length = first + second + 2
  const { path, rawPath, query } = url
  if (rawPath.length <= length || rawPath.charAt(first + 1) !== '/' || rawPath.charAt(length) !== '/') return undefined
  const prefix = rawPath.substring(0, length)
  if (!path.startsWith(`${prefix}/`)) return undefined
  return {
    url: { path: path.substring(length), rawPath: rawPath.substring(length), query },
    one: prefix.substring(1, first + 1),
    two: prefix.substring(first + 2),
  }
}

/** Epoch seconds of `YYYYMMDDHHMM` in UTC+8, as the CDNs that use this format define it; -1 if it is no valid time. */
export function minuteOf(text: string): number {
  if (!isDigits(text, 12)) return -1
  const [year, month, day] = [tonumberOf(text, 0, 4), tonumberOf(text, 4, 6), tonumberOf(text, 6, 8)]
  const [hour, minute] = [tonumberOf(text, 8, 10), tonumberOf(text, 10, 12)]
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 23 || minute > 59) return -1
  // Days from the civil calendar, with years that begin in March.
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const ofEra = shifted - era * 400
  const ofYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  const days = era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
  return days * 86_400 + (hour - 8) * 3600 + minute * 60
}

const tonumberOf = (text: string, from: number, to: number): number => Number(text.substring(from, to))

const hexDigits = '0123456789abcdef'

/** Parses epoch seconds in decimal, or in eight hexadecimal digits; -1 if it is neither. */
function secondsOf(text: string, isHex: boolean): number {
  if (!isHex && isDigits(text, 10)) return Number(text)
  if (text.length !== 8) return -1
  let value = 0
  for (let at = 0; at < 8; at++) {
    const digit = hexDigits.indexOf(text.charAt(at).toLowerCase())
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/** Parses the signature that a rule requires. Returns only `url` if there is none that could be valid. */
function readToken(rule: EdgeTokenAuth, url: SignedUrl, { md5, hmac }: Digests): Token | { url: SignedUrl } {
  const { kind, parameter } = rule
  if (kind === 'B' || kind === 'C') {
    const found = kind === 'B' ? inPath(url, 12, 32) : inPath(url, 32, 8)
    if (found === undefined) return { url }
    const [time, digest] = kind === 'B' ? [minuteOf(found.one), found.two] : [secondsOf(found.two, true), found.one]
    const text = kind === 'B' ? found.one : found.two
    const texts = (path: string, key: string) => md5(kind === 'B' ? key + text + path : key + path + text)
    return { url: found.url, time, digest: digest.toLowerCase(), texts }
  }
  if (kind === 'D') {
    const { url: rest, values } = inQuery(url, [parameter, 't'])
    const [digest, text] = values
    if (digest === undefined || text === undefined) return { url: rest }
    return {
      url: rest,
      time: secondsOf(text, false),
      digest: digest.toLowerCase(),
      texts: (path, key) => md5(key + path + text),
    }
  }
  const { url: rest, values } = inQuery(url, [parameter])
  const value = values[0] ?? ''
  const dash = value.indexOf('-')
  if (dash < 0) return { url: rest }
  const text = value.substring(0, dash)
  const time = isDigits(text, 10) ? Number(text) : -1
  if (kind === 'hmac')
    return { url: rest, time, digest: value.substring(dash + 1), texts: (path, key) => hmac(key, path + text) }
  const parts = value.split('-')
  if (parts.length !== 4) return { url: rest }
  const [, random, user, digest] = parts
  const texts = (path: string, key: string) => md5(`${path}-${text}-${random}-${user}-${key}`)
  return { url: rest, time, digest: digest!.toLowerCase(), texts }
}

export type Signature = {
  rule: EdgeTokenAuth
  /** The URL without the signature. */
  url: SignedUrl
  /** Whether there is a signature that has not expired. */
  isCurrent: boolean
  /** Whether it was made with this key. */
  isOf: (this: void, key: string) => boolean
}

/** The signature for the first rule that applies to a URL. Returns undefined if no rule does. */
export function findSignature(
  { rules }: TokenAuths,
  url: SignedUrl,
  now: number,
  tools: Pick<Tools, 'matches'>,
  digests: Digests,
): Signature | undefined {
  for (const rule of rules) {
    const token = readToken(rule, url, digests)
    if (!tools.matches(rule.regex, token.url.path)) {
      if (token.url.path === url.path || !tools.matches(rule.regex, url.path)) continue
      return { rule, url, isCurrent: false, isOf: () => false }
    }
    if (!('digest' in token)) return { rule, url: token.url, isCurrent: false, isOf: () => false }
    const { path, rawPath } = token.url
    const isOf = (key: string) =>
      digests.isSame(token.texts(rawPath, key), token.digest) ||
      (path !== rawPath && digests.isSame(token.texts(path, key), token.digest))
    return { rule, url: token.url, isCurrent: token.time >= 0 && now <= token.time + rule.ttl, isOf }
  }
  return undefined
}
