/** WAF exceptions that nobody has to write: those for an API, and the narrowest ones for the matches of a row. */
import { exceptWord, newWord } from '../edge/waf-words.ts'
import { methods } from '../fields.ts'
import type { WafModuleRule } from './waf.ts'

/**
 * What a site with an API needs but the rule set refuses by default: methods other than GET, HEAD, POST and OPTIONS,
 * and bodies other than forms, JSON, XML and text. All other rules still apply, to JSON bodies by their values.
 */
export const apiExceptions: Pick<WafModuleRule, 'ruleID' | 'methodValues'>[] = [
  { ruleID: 911100, methodValues: ['PUT', 'PATCH', 'DELETE'] },
  { ruleID: 920420, methodValues: ['POST', 'PUT', 'PATCH'] },
]

/**
 * One rule that matched, as listed in a row. `isNew`: the zone only observed it, because it came with another rule set
 * and matched more often.
 */
export type WafMatch = { text: string; ruleID: number; score: number; where: string; isNew: boolean }

/**
 * Parses the WAF field of a row: the rules that matched, the exceptions that took effect, and why the request could not
 * be inspected in full.
 */
export function readWaf(told: string): { matches: WafMatch[]; exceptions: number[]; budget: string | undefined } {
  const matches: WafMatch[] = []
  const exceptions: number[] = []
  const observed = new Set<number>()
  let budget: string | undefined
  for (const text of told.split(' ')) {
    const [rule = '', score = '', ...where] = text.split(':')
    if (rule === 'budget') budget = score
    else if (rule === newWord) observed.add(Number(score))
    else if (rule === exceptWord) exceptions.push(Number(score))
    else if (/^\d+$/.test(rule))
      matches.push({ text, ruleID: Number(rule), score: Number(score), where: where.join(':'), isNew: false })
  }
  return { matches: matches.map((match) => ({ ...match, isNew: observed.has(match.ruleID) })), exceptions, budget }
}

/** The most that one value scores: a higher score is from several values, of which a row names the first. */
const valueScoreMax = 5
/** A row cuts longer names to this length. */
const whereMax = 64

const targets: [from: RegExp, target: string][] = [
  [/^ARGS[A-Z_]*:/, 'arg'],
  [/^REQUEST_COOKIES[A-Z_]*:/, 'cookie'],
  [/^REQUEST_HEADERS[A-Z_]*:/, 'header'],
  [/^FILES[A-Z_]*:/, 'file'],
]

/** Whether a match is from a single value whose name the row has in full. */
export const isWhole = ({ where, score }: WafMatch): boolean => score <= valueScoreMax && where.length < whereMax

/**
 * The value that an exception for a match is limited to, as the `target` of a rule; '' if it can only cover the rule as
 * a whole.
 */
export function targetOf(match: WafMatch): string {
  const { where } = match
  const found = targets.find(([from]) => from.test(where))
  if (!found || !isWhole(match)) return ''
  const name = where.slice(where.indexOf(':') + 1)
  return name === '' ? '' : `${found[1]}:${name}`
}

/** The regular expression that matches exactly one path. */
export const pathAlone = (path: string): string => `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`

/** The narrowest exception for a match: its rule, its value, one path and one method. */
export function exceptionFor(match: WafMatch, request: { path: string; method: string }) {
  const method = methods.find((one) => one === request.method)
  return {
    ...{ ruleID: match.ruleID, target: targetOf(match), action: 'off' as const, urlRegex: pathAlone(request.path) },
    methodValues: method ? [method] : [...methods],
  }
}

/** What a row's request would score without some of its matches; rules that the row does not list count as before. */
export function scoreWithout({ waf, wafScore }: { waf: string; wafScore: number }, left: readonly string[]): number {
  const matches = readWaf(waf).matches.filter(({ isNew }) => !isNew)
  const sum = (of: WafMatch[]) => of.reduce((total, { score }) => total + score, 0)
  return Math.max(0, wafScore - sum(matches)) + sum(matches.filter(({ text }) => !left.includes(text)))
}
