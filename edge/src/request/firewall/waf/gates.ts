/**
 * Gates: conditions by which a single value shows that a rule cannot match, whatever else the request contains. Each
 * value is checked once for the gates that it opens; a rule whose gate no value opens is skipped. Pure: the node's
 * workers and the program that compiles the expressions must get the same result.
 */
import type { WafCollection, WafCondition, WafRule, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { isSearchedInAnyCase } from './any-case.ts'

/**
 * Values are searched for the expressions of the rules that may inspect them: headers for fewer than arguments.
 * `answer` is the origin's response, to which a separate rule set applies.
 */
export type Place = 'inputs' | 'headers' | 'url' | 'body' | 'answer'
export const places: readonly Place[] = ['inputs', 'headers', 'url', 'body', 'answer']

const placeOf: Partial<Record<WafCollection, Place>> = {
  ARGS: 'inputs',
  ARGS_NAMES: 'inputs',
  FILES: 'inputs',
  FILES_NAMES: 'inputs',
  MULTIPART_PART_HEADERS: 'inputs',
  QUERY_STRING: 'url',
  REQUEST_BASENAME: 'url',
  REQUEST_BODY: 'body',
  REQUEST_COOKIES: 'inputs',
  REQUEST_COOKIES_NAMES: 'inputs',
  REQUEST_FILENAME: 'url',
  REQUEST_HEADERS: 'headers',
  REQUEST_HEADERS_NAMES: 'headers',
  REQUEST_LINE: 'url',
  REQUEST_URI: 'url',
  RESPONSE_BODY: 'answer',
  XML: 'inputs',
}

/** Collections whose values are all part of another one. */
const withinOf: Partial<Record<WafCollection, WafCollection>> = {
  ARGS_GET: 'ARGS',
  ARGS_GET_NAMES: 'ARGS_NAMES',
  REQUEST_URI_RAW: 'REQUEST_URI',
}

/** Collections that change while rules run. */
const changing: Partial<Record<WafTarget['from'], boolean>> = {
  TX: true,
  MATCHED_VAR: true,
  MATCHED_VARS: true,
  MATCHED_VARS_NAMES: true,
}

/** Whether the values that a condition inspects depend on other rules. */
export const isOfChanging = ({ targets }: WafCondition): boolean => targets.some(({ from }) => changing[from] === true)

/**
 * Where values that are checked alike come from: a collection, a header by its name, or the number of values of a
 * target (`count`; the value is that number).
 */
export type Source = { from: WafCollection; header: string | undefined; count: WafTarget | undefined }

/** Sources with the same key are the same. */
export const keyOf = ({ from, header, count }: Source): string =>
  count === undefined
    ? `${from}${header === undefined ? '' : `:${header}`}`
    : `&${from}:${count.name ?? ''}/${count.pattern ?? ''}`

/** The number of values of a target, as a source. */
export const countOf = (target: WafTarget): Source => ({ from: target.from, header: undefined, count: target })

/** The sources of a condition's values; none if the request alone does not determine them. */
export function sourcesOf(condition: WafCondition): Source[] {
  if (condition.isTemplate === true || isOfChanging(condition)) return []
  const found: Source[] = []
  const keys: string[] = []
  for (const target of condition.targets) {
    if (target.except === true) continue
    const from = withinOf[target.from] ?? target.from
    const source: Source =
      target.count === true
        ? countOf(target)
        : { from, header: from === 'REQUEST_HEADERS' ? target.name : undefined, count: undefined }
    const key = keyOf(source)
    if (keys.includes(key)) continue
    keys.push(key)
    found.push(source)
  }
  return found
}

/** The place whose databases are used to search the values of a source. */
export const searchedIn = ({ from, count }: Source): Place | undefined =>
  count === undefined ? placeOf[from] : undefined

/**
 * The index of the condition that serves as a rule's gate, or −1: the first one, or a later one that holds for fewer
 * requests, if those before it have no side effects.
 */
export function gateConditionOf({ conditions }: Pick<WafRule, 'conditions'>): number {
  let [best, least] = [-1, Number.POSITIVE_INFINITY]
  for (let at = 0; at < conditions.length; at++) {
    const condition = conditions[at]!
    const often = sourcesOf(condition).length > 0 ? commonness(condition) : Number.POSITIVE_INFINITY
    if (often < least) {
      best = at
      least = often
    }
    if (condition.capture === true || (condition.sets ?? []).length > 0) break
  }
  return best
}

/** How often it holds for requests or answers: rarely, for one method, if something is missing, or nearly always. */
function commonness({ targets, operator, negated }: WafCondition): number {
  let often = 3
  for (const { from, count } of targets) {
    const isMissing = count === true && operator === 'eq' && negated !== true
    const isOfAll = from === 'REQUEST_PROTOCOL' || from === 'RESPONSE_STATUS'
    often = Math.min(often, from === 'REQUEST_METHOD' ? 1 : isMissing ? 2 : isOfAll ? 3 : 0)
  }
  return often
}

/**
 * The places whose databases contain a gate's expression: none if the condition is checked directly. Single headers
 * repeat with every request, so their conditions are checked directly, once per value.
 */
export function placesOf(condition: WafCondition): Place[] {
  const found: Place[] = []
  if ((condition.operator !== 'rx' && condition.operator !== 'pm') || condition.negated === true) return found
  let isBroad = false
  for (const source of sourcesOf(condition)) {
    const place = searchedIn(source)
    if (place === undefined) continue
    if (source.header === undefined) isBroad = true
    if (!found.includes(place)) found.push(place)
  }
  return isBroad ? found : []
}

export type GatePattern = { gate: number; expression: string; ignoresCase: boolean }
export type DatabasePlan = { name: string; place: Place; patterns: GatePattern[] }

const levels = [1, 2, 3, 4]

/** Identifies a gate in a place whose databases lack its expression. */
export const gateIn = (place: Place, gate: number): string => `${place} ${gate}`

/** Each paranoia level has its own databases. */
export const databaseName = (place: Place, level: number): string => `${place}${level}`

/** The contents of each database. A gate is the number of its rule, from 1. */
export function databasePlans(rules: readonly WafRule[]): DatabasePlan[] {
  const plans: DatabasePlan[] = []
  for (const place of places) {
    for (const ofLevel of levels) {
      const patterns: GatePattern[] = []
      for (let at = 0; at < rules.length; at++) {
        const { level, conditions } = rules[at]!
        const gate = level === ofLevel ? conditions[gateConditionOf(rules[at]!)] : undefined
        if (gate === undefined || !placesOf(gate).includes(place)) continue
        for (const pattern of patternsOf(gate)) patterns.push({ gate: at + 1, ...pattern })
      }
      if (patterns.length > 0) plans.push({ name: databaseName(place, ofLevel), place, patterns })
    }
  }
  return plans
}

/** The longest expression built from words, in bytes: the compiler takes up to 16,000. */
const expressionMax = 8000

function patternsOf(condition: WafCondition): Omit<GatePattern, 'gate'>[] {
  const { operator, argument, words } = condition
  if (operator === 'rx') return [{ expression: argument, ignoresCase: isSearchedInAnyCase(condition) }]
  const patterns: Omit<GatePattern, 'gate'>[] = []
  let joined: string[] = []
  let bytes = 0
  for (const word of words ?? []) {
    const literal = literalOf(word)
    if (bytes + literal.length > expressionMax) {
      patterns.push({ expression: joined.join('|'), ignoresCase: true })
      joined = []
      bytes = 0
    }
    joined.push(literal)
    bytes += literal.length + 1
  }
  if (joined.length > 0) patterns.push({ expression: joined.join('|'), ignoresCase: true })
  return patterns
}

const digits = '0123456789abcdef'

/** A word as an expression that matches it literally: each byte by its code. */
function literalOf(word: string): string {
  const bytes: string[] = []
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    bytes.push('\\x', digits.charAt(Math.floor(code / 16)), digits.charAt(code % 16))
  }
  return bytes.join('')
}
