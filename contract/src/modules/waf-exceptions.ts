/** Exceptions of the WAF that nobody has to write: those of an API, and the narrowest ones for what a row tells of. */
import { exceptWord, newWord } from '../edge/waf-words.ts'
import { methods } from '../fields.ts'
import type { WafModuleRule } from './waf.ts'

/**
 * What a site with an API takes and the rule set refuses on its own: methods beside GET, HEAD, POST and OPTIONS, and bodies
 * beside forms, JSON, XML and text. All other rules are asked as before, of JSON bodies by their values.
 */
export const apiExceptions: Pick<WafModuleRule, 'ruleID' | 'methodValues'>[] = [
  { ruleID: 911100, methodValues: ['PUT', 'PATCH', 'DELETE'] },
  { ruleID: 920420, methodValues: ['POST', 'PUT', 'PATCH'] },
]

/** One rule that matched, as a row tells it. `isNew`: the zone only observed it, as it came with another rule set and matched more often. */
export type WafMatch = { text: string; ruleID: number; score: number; where: string; isNew: boolean }

/** What a row tells of the WAF: the rules that matched, the exceptions that did something, and why the request could not be looked at whole. */
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

/** The most that one value scores: a higher score is of several, of which a row names the first. */
const valueScoreMax = 5
/** A row cuts longer names there. */
const whereMax = 64

const targets: [from: RegExp, target: string][] = [
  [/^ARGS[A-Z_]*:/, 'arg'],
  [/^REQUEST_COOKIES[A-Z_]*:/, 'cookie'],
  [/^REQUEST_HEADERS[A-Z_]*:/, 'header'],
  [/^FILES[A-Z_]*:/, 'file'],
]

/** Whether a match is of one value, which it names whole. */
export const isWhole = ({ where, score }: WafMatch): boolean => score <= valueScoreMax && where.length < whereMax

/** The value that an exception for a match is about, as `target` of a rule says it; '' where it can only be the rule as a whole. */
export function targetOf(match: WafMatch): string {
  const { where } = match
  const found = targets.find(([from]) => from.test(where))
  if (!found || !isWhole(match)) return ''
  const name = where.slice(where.indexOf(':') + 1)
  return name === '' ? '' : `${found[1]}:${name}`
}

/** The expression that means one path alone. */
export const pathAlone = (path: string): string => `^${path.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`

/** The narrowest exception for a match: its rule, its value, one path and one method. */
export function exceptionFor(match: WafMatch, request: { path: string; method: string }) {
  const method = methods.find((one) => one === request.method)
  return {
    ...{ ruleID: match.ruleID, target: targetOf(match), action: 'off' as const, urlRegex: pathAlone(request.path) },
    methodValues: method ? [method] : [...methods],
  }
}

/** What a row's request would score without some of its matches; rules beyond those that it tells of count as before. */
export function scoreWithout({ waf, wafScore }: { waf: string; wafScore: number }, left: readonly string[]): number {
  const matches = readWaf(waf).matches.filter(({ isNew }) => !isNew)
  const sum = (of: WafMatch[]) => of.reduce((total, { score }) => total + score, 0)
  return Math.max(0, wafScore - sum(matches)) + sum(matches.filter(({ text }) => !left.includes(text)))
}
