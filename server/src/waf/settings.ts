/** Conditions on settings of the rule set, which never change: they are evaluated at compile time. */
import type { WafCondition, WafTarget } from '@breakwater/contract/edge/waf-rules.ts'
import { type Place, SecLangError } from './directives.ts'
import type { Around } from './operators.ts'

/** What rules set in `TX` during evaluation: names, and prefixes of names that are built from the request. */
export type WrittenNames = { whole: ReadonlySet<string>; starts: readonly string[] }

export function writtenNames(conditions: readonly WafCondition[]): WrittenNames {
  const all = conditions.flatMap(({ sets = [] }) => sets.map(({ name }) => name.toLowerCase()))
  return {
    whole: new Set(all.filter((name) => !name.includes('%{'))),
    starts: all.filter((name) => name.includes('%{')).map((name) => name.slice(0, name.indexOf('%{'))),
  }
}

type Known = { settings: Around['settings']; written: WrittenNames }

/** The remaining conditions of a rule; undefined if one of them can never hold. */
export function settle(
  { conditions, at }: { conditions: readonly WafCondition[]; at: Place },
  known: Known,
): WafCondition[] | undefined {
  const left: WafCondition[] = []
  for (const condition of conditions) {
    const answer = answerOf(condition, known, at)
    if (answer === false) return undefined
    if (answer === undefined) left.push(condition)
    else if (leavesSomething(condition)) left.push(alwaysAs(condition))
  }
  return left.length > 0 ? left : [alwaysAs(conditions[0]!)]
}

const leavesSomething = ({ sets = [], score = 0 }: WafCondition): boolean => sets.length > 0 || score > 0

/** A condition that is true for every request, with the same effects. */
const alwaysAs = ({ sets, score }: WafCondition): WafCondition => ({
  ...{ targets: [{ from: 'REQUEST_METHOD' }], transforms: [], operator: 'beginsWith', argument: '' },
  ...(sets && { sets }),
  ...(score !== undefined && { score }),
})

/** The result of a condition that depends only on settings; undefined for any other. */
function answerOf(
  { targets, operator, negated, argument }: WafCondition,
  known: Known,
  at: Place,
): boolean | undefined {
  if (!targets.every((target) => isSetting(target, known.written))) return undefined
  const values = targets.flatMap(({ name = '', count }) => {
    const value = known.settings.get(name)
    return count ? [value === undefined ? '0' : '1'] : value === undefined ? [] : [value]
  })
  if (values.length === 0) return false
  const compare = comparisons[operator]
  if (!compare) throw new SecLangError(at, `the operator @${operator} of a setting is not known`)
  return values.some((value) => compare(value, argument) !== (negated === true))
}

/** A named `TX` variable that is written neither by a rule nor by the groups of an expression. */
function isSetting({ from, name, except }: WafTarget, { whole, starts }: WrittenNames): boolean {
  if (from !== 'TX' || name === undefined || except || /^\d$/.test(name)) return false
  return !whole.has(name) && !starts.some((start) => name.startsWith(start))
}

const numberOf = (text: string): number => Number.parseInt(text, 10) || 0
const comparisons: Partial<Record<WafCondition['operator'], (value: string, argument: string) => boolean>> = {
  eq: (value, argument) => numberOf(value) === numberOf(argument),
  ge: (value, argument) => numberOf(value) >= numberOf(argument),
  gt: (value, argument) => numberOf(value) > numberOf(argument),
  le: (value, argument) => numberOf(value) <= numberOf(argument),
  lt: (value, argument) => numberOf(value) < numberOf(argument),
  streq: (value, argument) => value === argument,
  within: (value, argument) => argument.includes(value),
}
