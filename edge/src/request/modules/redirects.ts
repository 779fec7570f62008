/**
 * URL redirects of a domain: the first rule that matches the canonical path applies. Rules for a path or a prefix are
 * found in tables; consecutive rules of the same kind share a table, so the order holds. Large sets of regular
 * expressions are indexed by the characters that their paths begin with, and split into parts, each with one
 * alternation that stands for all of its expressions, so no path is tried against every expression. A path that matches
 * no rule is dismissed without a loop, which LuaJIT would not compile with the surrounding phase. Pure.
 */
import type { EdgeRedirect } from '@breakwater/contract/edge/module-parts.ts'
import { literalBeginning } from '../lib/any-of.ts'
import { firstOf } from '../lib/first-of.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'
import { fillTarget, type Visit } from './targets.ts'

type Rule = EdgeRedirect & { place: number; regex: Regex | undefined }

/** Prefix rules by prefix, and the lengths of their prefixes. */
type Beginnings = { rules: Record<string, Rule>; lengths: number[] }

/** Consecutive rules of one kind. Prefixes are indexed by as many characters as the shortest of them has. */
type Block =
  | { match: 'exact'; rules: Record<string, Rule> }
  | { match: 'prefix'; shortest: number; heads: Record<string, Beginnings> }
  | Expressions
  | Headed

/** Expressions by the first `length` characters of the paths they match; `others` have a shorter known beginning. */
type Headed = { match: 'headed'; length: number; heads: Record<string, Expressions>; others: Expressions | undefined }

/** `parts` holds the same rules in order, if they are too many to try one by one; `any` matches if one of them does. */
type Expressions = { match: 'regex'; rules: Rule[]; any: Regex | undefined; parts: Expressions[] | undefined }

/** How many expressions are tried one by one, and into how many parts more of them are split. */
const askedMax = 16
const partsOfMany = 8

export type Redirects = Block[]

export function compileRedirects(given: readonly EdgeRedirect[], tools: CompileTools): Redirects {
  const blocks: Redirects = []
  let neighbours: Rule[] = []
  for (let place = 0; place < given.length; place++) {
    const one = given[place]!
    neighbours.push({ ...one, place, regex: one.match === 'regex' ? tools.regex(one.value) : undefined })
    if (place + 1 < given.length && given[place + 1]!.match === one.match) continue
    if (one.match === 'exact') blocks.push({ match: 'exact', rules: byValue(neighbours) })
    else if (one.match === 'prefix') blocks.push(beginningsOf(neighbours))
    else for (const part of blocksOf(neighbours, tools)) blocks.push(part)
    neighbours = []
  }
  return ready(blocks)
}

/** If several rules have the same value, the first one wins. */
function byValue(rules: readonly Rule[]): Record<string, Rule> {
  const found: Record<string, Rule> = {}
  for (const rule of rules) found[rule.value] ??= rule
  return found
}

function beginningsOf(rules: readonly Rule[]): Block {
  let shortest = rules[0]!.value.length
  for (const { value } of rules) shortest = Math.min(shortest, value.length)
  const byHead: Record<string, Rule[]> = {}
  for (const rule of rules) {
    const head = rule.value.substring(0, shortest)
    byHead[head] ??= []
    byHead[head]!.push(rule)
  }
  const heads: Record<string, Beginnings> = {}
  for (const head in byHead) {
    const lengths: number[] = []
    for (const { value } of byHead[head]!) if (!lengths.includes(value.length)) lengths.push(value.length)
    heads[head] = { rules: byValue(byHead[head]!), lengths }
  }
  return { match: 'prefix', shortest, heads }
}

function expressionsOf(rules: Rule[], tools: CompileTools): Expressions {
  const any = rules.length > 1 ? tools.anyOf(rules.map(({ value }) => value)) : undefined
  if (rules.length <= askedMax) return { match: 'regex', rules, any, parts: undefined }
  const size = Math.ceil(rules.length / partsOfMany)
  const parts: Expressions[] = []
  for (let at = 0; at < rules.length; at += size) parts.push(expressionsOf(rules.slice(at, at + size), tools))
  return { match: 'regex', rules, any, parts }
}

function blocksOf(rules: Rule[], tools: CompileTools): Block[] {
  const beginnings = rules.map(({ value }) => literalBeginning(value))
  const length = rules.length > askedMax ? headLength(beginnings) : undefined
  if (length === undefined) return withoutLarge(expressionsOf(rules, tools))
  const byHead: Record<string, Rule[]> = {}
  const others: Rule[] = []
  for (let at = 0; at < rules.length; at++) {
    const beginning = beginnings[at]!
    const head = beginning.substring(0, length)
    if (beginning.length >= length) byHead[head] ??= []
    const group = beginning.length < length ? others : byHead[head]!
    group.push(rules[at]!)
  }
  const heads: Record<string, Expressions> = {}
  for (const head in byHead) heads[head] = expressionsOf(byHead[head]!, tools)
  return [{ match: 'headed', length, heads, others: others.length > 0 ? expressionsOf(others, tools) : undefined }]
}

/** How many lengths of beginnings are tried, starting with the shortest. */
const lengthsTried = 8

/** How many leading characters best separate the expressions. Returns undefined if over half stay together. */
function headLength(beginnings: readonly string[]): number | undefined {
  const lengths: number[] = []
  for (const beginning of beginnings)
    if (beginning.length > 1 && !lengths.includes(beginning.length)) lengths.push(beginning.length)
  lengths.sort((a, b) => a - b)
  let [best, least] = [0, beginnings.length / 2]
  for (const length of lengths.slice(0, lengthsTried)) {
    const together = mostTogether(beginnings, length)
    if (together < least) [best, least] = [length, together]
  }
  return best === 0 ? undefined : best
}

/** The largest number of expressions that one path may have to be tried against. */
function mostTogether(beginnings: readonly string[], length: number): number {
  const counts: Record<string, number> = {}
  let [most, shorter] = [0, 0]
  for (const beginning of beginnings) {
    if (beginning.length < length) shorter++
    else {
      const head = beginning.substring(0, length)
      counts[head] = (counts[head] ?? 0) + 1
      most = Math.max(most, counts[head]!)
    }
  }
  return most + shorter
}

/** Replaces sets of expressions that are too large for a single alternation by their parts. */
function withoutLarge(expressions: Expressions): Expressions[] {
  const { any, parts } = expressions
  if (any !== undefined || parts === undefined) return [expressions]
  return parts.flatMap((part) => withoutLarge(part))
}

type Matching = Pick<Tools, 'matches' | 'mayMatch'>

/** Certificate renewals need this path: an ACME client on the origin must get the request despite any redirects. */
const acmePath = '/.well-known/acme-challenge/'

/** How many blocks LuaJIT reliably compiles into one trace. */
const blocksInTrace = 4

function ask(this: void, block: Block, path: string, tools: Matching): Rule | undefined {
  if (block.match === 'exact') return block.rules[path]
  if (block.match === 'regex') {
    if (!mayBeOneOf(block, path, tools)) return undefined
    const rule = firstExpression(block, path, tools)
    return rule
  }
  if (block.match === 'headed') {
    const headed = block.heads[path.substring(0, block.length)]
    const isOther = block.others !== undefined && mayBeOneOf(block.others, path, tools)
    if (headed === undefined && !isOther) return undefined
    const rule = firstHeaded(headed, isOther ? block.others : undefined, path, tools)
    return rule
  }
  const beginnings = block.heads[path.substring(0, block.shortest)]
  if (beginnings === undefined) return undefined
  const rule = firstBeginning(beginnings, path)
  return rule
}

const { first: firstInBlock, ready } = firstOf<Block, string, Matching, Rule>(blocksInTrace, ask)

export function findRedirect(blocks: Redirects, path: string, tools: Matching): Rule | undefined {
  if (path.startsWith(acmePath)) return undefined
  const rule = firstInBlock(blocks, path, tools)
  return rule
}

/** False only if none of them can match. */
function mayBeOneOf(this: void, { any }: Expressions, path: string, tools: Matching): boolean {
  return any === undefined || tools.mayMatch(any, path)
}

/** The first match in rule order, among expressions that share the path's beginning and all others. */
function firstHeaded(
  headed: Expressions | undefined,
  others: Expressions | undefined,
  path: string,
  tools: Matching,
): Rule | undefined {
  const one = headed && mayBeOneOf(headed, path, tools) ? firstExpression(headed, path, tools) : undefined
  const other = others && firstExpression(others, path, tools)
  if (one === undefined || other === undefined) return one ?? other
  return one.place < other.place ? one : other
}

function firstExpression({ rules, parts }: Expressions, path: string, tools: Matching): Rule | undefined {
  if (parts === undefined) {
    for (const rule of rules) if (tools.matches(rule.regex!, path)) return rule
    return undefined
  }
  for (const part of parts) {
    if (!mayBeOneOf(part, path, tools)) continue
    const found = firstExpression(part, path, tools)
    if (found !== undefined) return found
  }
  return undefined
}

function firstBeginning({ rules, lengths }: Beginnings, path: string): Rule | undefined {
  let first: Rule | undefined
  for (const length of lengths) {
    if (length > path.length) continue
    const rule = rules[path.substring(0, length)]
    if (rule !== undefined && (first === undefined || rule.place < first.place)) first = rule
  }
  return first
}

/** The Location of a redirect. `groups` are the capture groups of the expression, starting with the first. */
export function locationOf(rule: EdgeRedirect, visit: Visit, groups: readonly (string | undefined)[]): string {
  const { target, keepQuery } = rule
  let text = fillTarget(target, visit, groups)
  if (keepQuery && visit.query !== '' && target.indexOf('$query') < 0)
    text = `${text}${text.indexOf('?') < 0 ? '?' : '&'}${visit.query}`
  // A relative target that begins with two slashes would lead to another host.
  if (!text.startsWith('/')) return text
  let slashes = 1
  while (text.charAt(slashes) === '/') slashes++
  return text.substring(slashes - 1)
}
