/** A rule set ready to be asked: expressions compiled, and targets that are the same in many rules known by one key. */
import type { WafCondition, WafRulesPart, WafTarget, WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { ByteSet, Pattern, PatternCompiler } from '../../lib/waf-tools.ts'
import { findNext, type Next } from './chains.ts'
import { gateConditionOf, isOfChanging } from './gates.ts'
import { compileWords, type Words } from './words.ts'

export type CompiledTarget = WafTarget & { expression: Pattern | undefined }

export type CompiledCondition = {
  given: WafCondition
  targets: CompiledTarget[]
  /** The same for the same targets; nothing where what they name changes from rule to rule. */
  targetsKey: string | undefined
  transforms: WafTransform[]
  multiMatch: boolean
  operator: WafCondition['operator']
  negated: boolean
  argument: string
  isTemplate: boolean
  pattern: Pattern | undefined
  words: Words | undefined
  /** Of `validateByteRange`: the bytes that there may not be. */
  wrongBytes: ByteSet | undefined
  capture: boolean
  sets: NonNullable<WafCondition['sets']>
  score: number
  /** Of a gate: what a value must lead on to (`chains.ts`); absent where it opens the gate by itself. */
  next?: Next
}

/**
 * `gate`: which of its conditions a value may say not to hold (`gates.ts`), or nothing. `isLate`: it asks for what other
 * rules set, and matches nothing as long as none did.
 */
export type CompiledWafRule = {
  id: number
  level: number
  conditions: CompiledCondition[]
  skip: number
  gate: CompiledCondition | undefined
  isLate: boolean
}

function compileCondition(given: WafCondition, tools: PatternCompiler): CompiledCondition {
  let targetsKey = ''
  for (const { from, name, pattern, count, except } of given.targets)
    targetsKey += `${except === true ? '!' : ''}${count === true ? '&' : ''}${from}:${name ?? ''}/${pattern ?? ''}|`
  return {
    given,
    targets: given.targets.map((target) => ({
      ...target,
      expression: target.pattern === undefined ? undefined : tools.pattern(target.pattern, true),
    })),
    targetsKey: isOfChanging(given) ? undefined : targetsKey,
    transforms: given.transforms,
    multiMatch: given.multiMatch === true,
    operator: given.operator,
    negated: given.negated === true,
    argument: given.argument,
    isTemplate: given.isTemplate === true,
    pattern: given.operator === 'rx' ? tools.pattern(given.argument, false) : undefined,
    words: given.words === undefined ? undefined : compileWords(given.words),
    wrongBytes: given.operator === 'validateByteRange' ? tools.bytesOutside(given.argument) : undefined,
    capture: given.capture === true,
    sets: given.sets ?? [],
    score: given.score ?? 0,
  }
}

/** Throws where an expression does not compile. */
export function compileRuleSet(part: WafRulesPart, tools: PatternCompiler): CompiledWafRule[] {
  const rules = part.rules.map((rule) => {
    const conditions = rule.conditions.map((condition) => compileCondition(condition, tools))
    return {
      ...{ id: rule.id, level: rule.level, skip: rule.skip ?? 0, conditions },
      gate: conditions[gateConditionOf(rule)],
      isLate: rule.conditions[0]!.targets.every(({ from, count }) => from === 'TX' && count !== true),
    }
  })
  findNext(rules)
  return rules
}
