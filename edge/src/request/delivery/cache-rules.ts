/** Cache rules: which one is for a path, and what it says. The first rule that matches decides. Pure. */
import type { EdgeCacheRule } from '@breakwater/contract/edge/site-parts.ts'
import { extensionOf } from '../lib/extension.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'
import { type Bypass, compileBypass } from './cache-bypass.ts'
import { compileVariant, type Variant } from './cache-variant.ts'

export type CacheChoice = {
  id: number
  ttl: number
  /** Seconds by status, in the place of `ttl`. */
  statuses: Record<number, number> | undefined
  /** Whether the origin's lifetime goes before the rule's. */
  respectsOrigin: boolean
  /** Whether anything that the rule is for may be stored. */
  stores: boolean
  /** Whether HEAD goes around the cache. */
  skipsHead: boolean
  /** Whether the object's name is without the query: the rule ignores it, or keeps what it needs in the variant. */
  ignoreQuery: boolean
  variant: Variant | undefined
  bypass: Bypass | undefined
  /** Whether the rule names a path, not an extension. */
  byPath: boolean
  /** Whether answers to visitors with a session or credentials may be stored too. */
  forSignedIn: boolean
  /** Seconds; absent where the origin's words count. */
  browserTtl: number | undefined
  staleWhileRevalidate: number | undefined
  staleIfError: number | undefined
}

/** A choice with its place in the order of the rules. */
type Placed = { place: number; choice: CacheChoice }
/** What is asked one after the other: a prefix, or an expression. */
type Test = Placed & { prefix: string; regex: Regex | undefined }

export type CacheRules = {
  tests: Test[]
  /** The first rule of each extension, and of each whole path. */
  extensions: Record<string, Placed>
  paths: Record<string, Placed>
  /** Whether any rule changes what browsers are told. */
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
  }
}

/** Nothing where a site has no rules. */
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

/** Tests that LuaJIT surely compiles as one piece. */
const testsInPiece = 4

/** The place of the rule that was found by a look-up: what comes behind it is not asked. */
let before = 0
const noPlace = 1_000_000_000

function ask(this: void, test: Test, path: string, tools: Matches): CacheChoice | undefined {
  if (test.place > before) return undefined
  const matches = test.regex === undefined ? path.startsWith(test.prefix) : tools.matches(test.regex, path)
  return matches ? test.choice : undefined
}

const { first: firstTest, ready } = firstOf<Test, string, Matches, CacheChoice>(testsInPiece, ask)

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
 * The rule for a path, or nothing: then the origin alone decides. Where an origin may read the path in other ways, a rule
 * that stores must be the rule for all of them, and a rule that forbids storing, be it to some visitors, counts for any.
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
