/**
 * Gates: rules that a value alone decides not to match, whatever else the request holds. Each value is asked once which
 * gates it may open; a rule whose gate no value opens is passed over. Pure: the node's workers and the program that
 * compiles their expressions must come to the same.
 */
import type { WafCollection, WafCondition, WafRule } from '@breakwater/contract/edge/waf-rules.ts'

/** Values are asked of the rules that may look at them: headers of fewer than arguments. */
export type Place = 'inputs' | 'headers' | 'url' | 'body'
export const places: readonly Place[] = ['inputs', 'headers', 'url', 'body']

export const placeOf: Partial<Record<WafCollection, Place>> = {
  ARGS: 'inputs',
  ARGS_GET: 'inputs',
  ARGS_GET_NAMES: 'inputs',
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
  REQUEST_URI_RAW: 'url',
  XML: 'inputs',
}

/**
 * The places whose values open the gate of a rule that begins with this condition; none for a rule without a gate: one
 * that asks for what other rules set, that counts, or that looks at one header or the URL alone, where asking is cheap.
 */
export function placesOf({ targets, isTemplate }: WafCondition): Place[] {
  if (isTemplate === true) return []
  const found: Place[] = []
  let isBroad = false
  for (const { from, name, pattern, count, except } of targets) {
    if (except === true) continue
    const place = placeOf[from]
    if (place === undefined || count === true) return []
    if (place !== 'url' && place !== 'body' && name === undefined && pattern === undefined) isBroad = true
    if (!found.includes(place)) found.push(place)
  }
  return isBroad ? found : []
}

/** Whether the gate is one for a database of expressions; the others are asked as they are. */
export const isExpression = ({ operator, negated }: WafCondition): boolean =>
  (operator === 'rx' || operator === 'pm') && negated !== true

export type GatePattern = { gate: number; expression: string; ignoresCase: boolean }
export type DatabasePlan = { name: string; patterns: GatePattern[] }

const levels = [1, 2, 3, 4]

/** Each paranoia level has databases of its own. */
export const databaseName = (place: Place, level: number): string => `${place}${level}`

/** What stands in each database. A gate is the number of its rule, from 1. */
export function databasePlans(rules: readonly WafRule[]): DatabasePlan[] {
  const plans: DatabasePlan[] = []
  for (const place of places) {
    for (const ofLevel of levels) {
      const patterns: GatePattern[] = []
      for (let at = 0; at < rules.length; at++) {
        const { level, conditions } = rules[at]!
        const first = conditions[0]!
        if (level !== ofLevel || !isExpression(first) || !placesOf(first).includes(place)) continue
        for (const pattern of patternsOf(first)) patterns.push({ gate: at + 1, ...pattern })
      }
      if (patterns.length > 0) plans.push({ name: databaseName(place, ofLevel), patterns })
    }
  }
  return plans
}

/** The longest expression of words, in bytes: the compiler takes 16,000. */
const expressionMax = 8000

function patternsOf({ operator, argument, words }: WafCondition): Omit<GatePattern, 'gate'>[] {
  if (operator === 'rx') return [{ expression: argument, ignoresCase: false }]
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

/** A word as an expression that means it: each byte by its number. */
function literalOf(word: string): string {
  const bytes: string[] = []
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at)
    bytes.push('\\x', digits.charAt(Math.floor(code / 16)), digits.charAt(code % 16))
  }
  return bytes.join('')
}
