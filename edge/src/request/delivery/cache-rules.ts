/** Cache rules: which rule applies to a path, and what it says. The first rule that matches applies. Pure. */
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { extensionOf } from '../lib/extension.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'
import { type Bypass, compileBypass } from './cache-bypass.ts'
import { compileVariant, type Variant } from './cache-variant.ts'

export type CacheChoice = {
  id: number
  ttl: number
  /** TTL in seconds by status, instead of `ttl`. */
  statuses: Record<number, number> | undefined
  /** Whether the origin's TTL takes precedence over the rule's. */
  respectsOrigin: boolean
  /** Whether the rule allows storing anything at all. */
  stores: boolean
  /** Whether HEAD requests bypass the cache. */
  skipsHead: boolean
  /** Whether the object key omits the query: the rule ignores it, or puts the parameters it needs into the variant. */
  ignoreQuery: boolean
  variant: Variant | undefined
  bypass: Bypass | undefined
  /** Whether the rule matches by path, not by extension. */
  byPath: boolean
  /** Whether answers to visitors with a session or credentials may be stored as well. */
  forSignedIn: boolean
  /** Seconds; absent if the origin's headers decide. */
  browserTtl: number | undefined
  staleWhileRevalidate: number | undefined
  staleIfError: number | undefined
  /** Whether objects are fetched and stored in slices, if the origin supports ranges. */
  slices: boolean
}

/** A choice with its position among the rules. */
type Placed = { place: number; choice: CacheChoice }
/** A test that is tried in sequence: a prefix or a regular expression. */
type Test = Placed & { prefix: string; regex: Regex | undefined }

export type CacheRules = {
  tests: Test[]
  /** The first rule for each extension, and for each exact path. */
  extensions: Record<string, Placed>
  paths: Record<string, Placed>
  /** Whether any rule sets a browser TTL. */
  hasBrowserTtl: boolean
}

export function compileChoice(rule: EdgeCacheRule): CacheChoice {
  const respectsOrigin = rule.respectsOrigin === true
  let statuses: Record<number, number> | undefined
  let stores = respectsOrigin || rule.ttl > 0
  for (const { status, ttl } of rule.statuses ?? []) {
    statuses ??= {}
    statuses[status] = ttl
    if (ttl > 0) stores = true
  }
  return {
    id: rule.id,
    ttl: rule.ttl,
    statuses,
    respectsOrigin,
    stores,
    skipsHead: rule.skipsHead === true,
    ignoreQuery: rule.ignoreQuery || rule.query !== undefined,
    variant: compileVariant(rule),
    bypass: compileBypass(rule.bypass),
    byPath: rule.extensions.length === 0,
    forSignedIn: rule.forSignedIn === true,
    browserTtl: rule.browserTtl,
    staleWhileRevalidate: rule.staleWhileRevalidate,
    staleIfError: rule.staleIfError,
    slices: rule.slice === true,
  }
}

/** Returns undefined if the site has no rules. */
export function compileCacheRules(
  rules: readonly EdgeCacheRule[],
  tools: Pick<CompileTools, 'regex'>,
): CacheRules | undefined {
  if (rules.length === 0) return undefined
  const compiled: CacheRules = { tests: [], extensions: {}, paths: {}, hasBrowserTtl: false }
  for (let place = 0; place < rules.length; place++) {
    const rule = rules[place]!
    const choice = compileChoice(rule)
    if (choice.browserTtl !== undefined) compiled.hasBrowserTtl = true
    for (const prefix of rule.prefixes) compiled.tests.push({ prefix, regex: undefined, place, choice })
    for (const source of rule.patterns ?? [])
      compiled.tests.push({ prefix: '', regex: tools.regex(source), place, choice })
    for (const path of rule.paths ?? []) compiled.paths[path] ??= { place, choice }
    for (const extension of rule.extensions) compiled.extensions[extension.toLowerCase()] ??= { place, choice }
  }
  ready(compiled.tests)
  return compiled
}

type Matches = Pick<Tools, 'matches'>

/** How many tests LuaJIT reliably compiles into one trace. */
const testsInTrace = 4

/** The position of the rule found by lookup: rules after it are not tested. */
let before = 0
const noPlace = 1_000_000_000

function ask(this: void, test: Test, path: string, tools: Matches): CacheChoice | undefined {
  if (test.place > before) return undefined
  const matches = test.regex === undefined ? path.startsWith(test.prefix) : tools.matches(test.regex, path)
  return matches ? test.choice : undefined
}

const { first: firstTest, ready } = firstOf<Test, string, Matches, CacheChoice>(testsInTrace, ask)

function firstChoice(rules: CacheRules, path: string, tools: Matches): CacheChoice | undefined {
  let found = rules.paths[path]
  const extension = extensionOf(path)
  const byExtension = extension === '' ? undefined : rules.extensions[extension]
  if (byExtension !== undefined && (found === undefined || byExtension.place < found.place)) found = byExtension
  before = found === undefined ? noPlace : found.place
  const tested = firstTest(rules.tests, path, tools)
  return tested ?? found?.choice
}

/**
 * The rule for a path; without one, the origin alone decides. If an origin may read the path in other ways, a rule that
 * stores must apply to all of them, while a rule that forbids storing, even for some visitors only, counts if it
 * applies to any.
 */
export function cacheChoice(
  rules: CacheRules,
  path: string,
  otherPaths: readonly string[] | undefined,
  tools: Matches,
): CacheChoice | undefined {
  const choice = firstChoice(rules, path, tools)
  if (otherPaths === undefined) return choice
  let isAgreed = true
  let guarded = choice?.bypass === undefined ? undefined : choice
  for (const other of otherPaths) {
    const found = firstChoice(rules, other, tools)
    if (found !== undefined && !found.stores) return found
    if (found?.bypass !== undefined) guarded = found
    if (found !== choice) isAgreed = false
  }
  if (isAgreed || choice?.stores === false) return choice
  return guarded === undefined ? undefined : { ...guarded, stores: false }
}
