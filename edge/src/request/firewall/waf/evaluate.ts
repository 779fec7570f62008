/** Applies the rules of a set to a request, in order, and adds up their scores. */
import type { Match, Turn, WafMatching } from '../../lib/waf-tools.ts'
import { type Lists, valuesOf } from './choosing.ts'
import type { CompiledCondition, CompiledWafRule } from './compiled-rule.ts'
import type { Value } from './form.ts'
import type { Inspection } from './inspection.ts'
import { transformed } from './memo.ts'
import { openGates } from './opening.ts'
import { holds } from './operators.ts'
import { allHold } from './quick.ts'
import { type CompiledRuleSet, sievingOf } from './sieving.ts'

export type Asking = {
  ruleSet: CompiledRuleSet
  paranoia: number
  /** By rule id: whether a rule is disabled, or disabled for the value of a name. */
  isOff: (this: void, rule: number, name: string | undefined) => boolean
  /** The time budget. */
  turn: Turn
}

/** What rules found. `isCut`: time ran out before all of them. `left`: the indexes of disabled rules. */
export type Found = { matches: Match[]; isCut: boolean; left?: number[] }

/** Rules without a gate are cheap: the clock is read once per so many of them. */
const clockTurn = 16

/** A rule that matches more values than this is reported as one match, with the first of them. */
const apartMax = 20

export function evaluate(request: Inspection, asking: Asking, tools: WafMatching): Found {
  const matches: Match[] = []
  const { ruleSet, paranoia, isOff, turn } = asking
  const { rules } = ruleSet
  const sieving = sievingOf(ruleSet, paranoia)
  const open = sieving === undefined ? undefined : openGates(request, sieving, turn, tools)
  if (sieving !== undefined && open === undefined) return { matches, isCut: true }
  // If no rule matches, none sets what late rules read.
  if (sieving?.isLateAlone === true && open?.numbers.length === 0) return { matches, isCut: false }
  let lists: Lists = {}
  let asked = 0
  let from = 0
  let left: number[] | undefined
  for (const at of sieving === undefined ? allOf(ruleSet) : inOrder(open!.numbers, sieving.ungated)) {
    const rule = rules[at]!
    if (at < from || rule.level > paranoia || (rule.isLate && request.setNames.length === 0)) continue
    if (rule.unlessMatched !== undefined && request.hasMatched(rule.unlessMatched)) continue
    if (isOff(rule.id, undefined)) {
      if (left === undefined) left = [at]
      else left.push(at)
      continue
    }
    const opening = open?.texts[at + 1]
    // Reading the clock costs as much as a rule; a rule whose gate is open may take long.
    if ((opening !== undefined || open === undefined || asked % clockTurn === 0) && tools.isOver(turn))
      return { matches, isCut: true }
    asked++
    if (!allHold(rule.quick, request, tools)) continue
    if (!ask(request, rule, opening, lists, isOff, tools, matches)) continue
    from = at + 1 + rule.skip
    if (!rule.isControl) continue
    request.controls[rule.id] = true
    // From now on, the same targets may exclude more values.
    lists = {}
  }
  return { matches, isCut: false, left }
}

/**
 * Which of the disabled rules would have matched. They run after everything is decided: what they set no longer affects
 * anything, and those for which there is no time are not reported.
 */
export function askLeft(
  request: Inspection,
  { rules }: CompiledRuleSet,
  left: readonly number[],
  { isOff, turn }: Pick<Asking, 'isOff' | 'turn'>,
  tools: WafMatching,
): number[] {
  const found: number[] = []
  const lists: Lists = {}
  for (const at of left) {
    if (tools.isOver(turn)) break
    const rule = rules[at]!
    if (allHold(rule.quick, request, tools) && ask(request, rule, undefined, lists, isOff, tools, []))
      found.push(rule.id)
  }
  return found
}

function allOf(ruleSet: CompiledRuleSet): number[] {
  ruleSet.places ??= ruleSet.rules.map((_, at) => at)
  return ruleSet.places
}

/** The indexes of the rules with open gates and of those without a gate, in the order of the set. */
function inOrder(open: readonly number[], ungated: number[]): number[] {
  if (open.length === 0) return ungated
  const places = [...ungated]
  for (const number of open) places.push(number - 1)
  return places.sort((one, other) => one - other)
}

/** Whether the rule matched; its score is added to the matches. */
function ask(
  request: Inspection,
  rule: CompiledWafRule,
  opening: Record<string, boolean> | undefined,
  lists: Lists,
  isOff: Asking['isOff'],
  tools: WafMatching,
  matches: Match[],
): boolean {
  request.matched = []
  let score = 0
  let first: Value | undefined
  for (const condition of rule.conditions) {
    const texts = condition === rule.gate && condition.next === undefined ? opening : undefined
    const found = meet(request, rule.id, condition, texts, lists, isOff, tools)
    if (found.length === 0) return false
    first ??= found[0]!
    score += condition.score * found.length
    request.matched = found
  }
  if (score > 0) tell(matches, rule, score, first?.name ?? '', request.matched)
  return true
}

/** A few values get a match each, so that an exception for one of them does not affect the others. */
function tell(
  matches: Match[],
  { id, conditions }: CompiledWafRule,
  score: number,
  name: string,
  found: Value[],
): void {
  if (conditions.length > 1 || found.length > apartMax) {
    matches.push({ rule: id, score, name })
    return
  }
  for (const value of found) matches.push({ rule: id, score: conditions[0]!.score, name: value.name })
}

/** The values for which a condition holds. If `texts` is given, only those are checked. */
function meet(
  request: Inspection,
  rule: number,
  condition: CompiledCondition,
  texts: Record<string, boolean> | undefined,
  lists: Lists,
  isOff: Asking['isOff'],
  tools: WafMatching,
): Value[] {
  const found: Value[] = []
  const argument = condition.isTemplate ? filled(request, condition.argument) : condition.argument
  for (const value of valuesOf(request, condition, lists, tools)) {
    if (texts !== undefined && texts[value.value] !== true) continue
    const text = matchingText(request, condition, argument, value.value, tools)
    if (text === undefined || isOff(rule, value.name)) continue
    const match = { name: value.name, value: text }
    found.push(match)
    if (condition.capture) capture(request, condition, text, tools)
    if (condition.sets.length > 0) {
      request.matched = found
      for (const { name, value: to } of condition.sets) request.change(filled(request, name), filled(request, to))
    }
  }
  return found
}

/** The value as it was when the condition held. */
function matchingText(
  { memo }: Inspection,
  condition: CompiledCondition,
  argument: string,
  given: string,
  tools: WafMatching,
): string | undefined {
  let text = given
  if (condition.multiMatch && holds(condition, argument, text, tools)) return text
  for (const transform of condition.transforms) {
    const after = transformed(memo, transform, text, tools.texts)
    const isChanged = after !== text
    text = after
    if (condition.multiMatch && isChanged && holds(condition, argument, text, tools)) return text
  }
  return !condition.multiMatch && holds(condition, argument, text, tools) ? text : undefined
}

function capture(
  request: Inspection,
  { pattern, operator }: CompiledCondition,
  text: string,
  tools: WafMatching,
): void {
  if (operator !== 'rx' || pattern === undefined) return
  const groups = tools.groups(pattern, text)
  for (let i = 0; i < groups.length; i++) request.setTo(`${i}`, groups[i]!)
}

/** Fills in placeholders: `%{tx.1}`, `%{MATCHED_VAR_NAME}`, `%{request_headers.host}`, `%{ARGS.name}`. */
function filled(request: Inspection, text: string): string {
  let open = text.indexOf('%{')
  if (open < 0) return text
  let out = ''
  let at = 0
  while (open >= 0) {
    const close = text.indexOf('}', open)
    if (close < 0) break
    out += text.substring(at, open) + placeOf(request, text.substring(open + 2, close).toLowerCase())
    at = close + 1
    open = text.indexOf('%{', at)
  }
  return out + text.substring(at)
}

function placeOf(request: Inspection, place: string): string {
  const last = request.matched[request.matched.length - 1]
  if (place.startsWith('tx.')) return request.set[place.substring(3)] ?? ''
  if (place === 'matched_var_name') return last?.name ?? ''
  if (place === 'matched_var') return last?.value ?? ''
  if (place.startsWith('args.')) return request.argument(place.substring(5)) ?? ''
  return place.startsWith('request_headers.') ? (request.header(place.substring(16)) ?? '') : ''
}
