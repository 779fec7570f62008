/** Compiles a rule set: its expressions, and one key for equal targets of many rules. */
import type { WafCondition, WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import type { PatternCompiler } from '../../lib/waf-tools.ts'
import { findNext } from './chains.ts'
import type { CompiledCondition, CompiledWafRule } from './compiled-rule.ts'
import { gateConditionOf, isOfChanging } from './gates.ts'
import { quickOf } from './quick.ts'
import { compileWords } from './words.ts'

function compileCondition(given: WafCondition, tools: PatternCompiler): CompiledCondition {
  let targetsKey = ''
  for (const { from, name, pattern, count, except, ifMatched } of given.targets)
    targetsKey += `${except === true ? `!${ifMatched ?? ''}` : ''}${count === true ? '&' : ''}${from}:${name ?? ''}/${pattern ?? ''}|`
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

/** Throws if an expression does not compile. */
export function compileRuleSet(part: WafRulesPart, tools: PatternCompiler): CompiledWafRule[] {
  const controls = controlsOf(part)
  const rules = part.rules.map((rule) => {
    const conditions = rule.conditions.map((condition) => compileCondition(condition, tools))
    const gate = conditions[gateConditionOf(rule)]
    return {
      ...{ id: rule.id, level: rule.level, skip: rule.skip ?? 0, conditions },
      gate,
      quick: quickOf(conditions, gate),
      isLate: rule.conditions[0]!.targets.every(({ from, count }) => from === 'TX' && count !== true),
      isControl: controls[rule.id] === true,
      unlessMatched: rule.unlessMatched,
    }
  })
  findNext(rules)
  return rules
}

/** The ids of rules that other rules refer to. */
function controlsOf({ rules }: WafRulesPart): Record<number, boolean> {
  const controls: Record<number, boolean> = {}
  for (const { unlessMatched, conditions } of rules) {
    for (const id of unlessMatched ?? []) controls[id] = true
    for (const { targets } of conditions)
      for (const { ifMatched } of targets) if (ifMatched !== undefined) controls[ifMatched] = true
  }
  return controls
}
