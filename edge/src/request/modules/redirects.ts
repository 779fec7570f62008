/**
 * URL redirects of a domain: the first rule that matches the canonical path answers. Rules that name a path, or the
 * beginning of one, are found in tables; neighbours of one kind are one table, so that the order holds. Of many
 * expressions one stands for each part of them, so that no path is tried against all. Pure.
 */
import type { EdgeRedirect } from '@breakwater/contract/edge/module-parts.ts'
import type { CompileTools, Regex, Tools } from '../lib/guard.ts'
import { fillTarget, type Visit } from './targets.ts'

type Rule = EdgeRedirect & { place: number; regex: Regex | undefined }

/** Neighbours of one kind. */
type Block =
  | { match: 'exact'; rules: Record<string, Rule> }
  | { match: 'prefix'; rules: Record<string, Rule>; lengths: number[] }
  | Expressions

/** `parts` are the same rules in their order, where they are too many to be asked one by one; `any` matches where one of them does. */
type Expressions = { match: 'regex'; rules: Rule[]; any: Regex | undefined; parts: Expressions[] | undefined }

/** Expressions that are asked one by one, and the parts that more of them become. */
const askedMax = 16
const partsOfMany = 8

export type Redirects = Block[]

export function compileRedirects(given: readonly EdgeRedirect[], tools: CompileTools): Redirects {
  const blocks: Redirects = []
  for (let place = 0; place < given.length; place++) {
    const one = given[place]!
    const regex = one.match === 'regex' ? tools.regex(one.value) : undefined
    const rule: Rule = { ...one, place, regex }
    let block = blocks[blocks.length - 1]
    if (block === undefined || block.match !== one.match) {
      block = emptyBlock(one.match)
      blocks.push(block)
    }
    if (block.match === 'regex') {
      block.rules.push(rule)
      continue
    }
    if (block.match === 'prefix' && !block.lengths.includes(one.value.length)) block.lengths.push(one.value.length)
    block.rules[one.value] ??= rule
  }
  return blocks.map((block) => (block.match === 'regex' ? expressionsOf(block.rules, tools) : block))
}

function expressionsOf(rules: Rule[], tools: CompileTools): Expressions {
  const any = rules.length > 1 ? tools.anyOf(rules.map(({ value }) => value)) : undefined
  if (rules.length <= askedMax) return { match: 'regex', rules, any, parts: undefined }
  const size = Math.ceil(rules.length / partsOfMany)
  const parts: Expressions[] = []
  for (let at = 0; at < rules.length; at += size) parts.push(expressionsOf(rules.slice(at, at + size), tools))
  return { match: 'regex', rules, any, parts }
}

function emptyBlock(match: EdgeRedirect['match']): Block {
  if (match === 'exact') return { match, rules: {} }
  if (match === 'prefix') return { match, rules: {}, lengths: [] }
  return { match, rules: [], any: undefined, parts: undefined }
}

/** What every renewal of a certificate asks for: an origin's own client must get it whatever is redirected. */
const acmePath = '/.well-known/acme-challenge/'

export function findRedirect(
  blocks: Redirects,
  path: string,
  tools: Pick<Tools, 'matches' | 'mayMatch'>,
): Rule | undefined {
  if (path.startsWith(acmePath)) return undefined
  for (const block of blocks) {
    const found = findIn(block, path, tools)
    if (found !== undefined) return found
  }
  return undefined
}

function findIn(block: Block, path: string, tools: Pick<Tools, 'matches' | 'mayMatch'>): Rule | undefined {
  if (block.match === 'exact') return block.rules[path]
  if (block.match === 'regex') {
    if (block.any !== undefined && !tools.mayMatch(block.any, path)) return undefined
    if (block.parts !== undefined) {
      for (const part of block.parts) {
        const found = findIn(part, path, tools)
        if (found !== undefined) return found
      }
      return undefined
    }
    for (const rule of block.rules) if (tools.matches(rule.regex!, path)) return rule
    return undefined
  }
  let first: Rule | undefined
  for (const length of block.lengths) {
    if (length > path.length) continue
    const rule = block.rules[path.substring(0, length)]
    if (rule !== undefined && (first === undefined || rule.place < first.place)) first = rule
  }
  return first
}

/** What a redirect of the request says in Location. `groups` are those of the expression, from the first on. */
export function locationOf(rule: EdgeRedirect, visit: Visit, groups: readonly (string | undefined)[]): string {
  const { target, keepQuery } = rule
  let text = fillTarget(target, visit, groups)
  if (keepQuery && visit.query !== '' && target.indexOf('$query') < 0)
    text = `${text}${text.indexOf('?') < 0 ? '?' : '&'}${visit.query}`
  // A path of our own that begins with two slashes would be another host's.
  if (!text.startsWith('/')) return text
  let slashes = 1
  while (text.charAt(slashes) === '/') slashes++
  return text.substring(slashes - 1)
}
