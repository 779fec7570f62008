/** A rule set ready to be asked: expressions compiled, and targets that are the same in many rules known by one key. */
import type { WafCondition, WafRulesPart, WafTarget, WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { Pattern, PatternCompiler } from '../../lib/waf-tools.ts'
import { isWordByte } from './bytes.ts'
import { placesOf } from './gates.ts'
import { compileWords, type Words } from './words.ts'

export type CompiledTarget = WafTarget & { expression: Pattern | undefined }

export type CompiledCondition = {
  given: WafCondition
  targets: CompiledTarget[]
  /** The same for the same targets; nothing where what they name changes from rule to rule. */
  targetsKey: string | undefined
  transforms: WafTransform[]
  transformsKey: string
  multiMatch: boolean
  operator: WafCondition['operator']
  negated: boolean
  argument: string
  isTemplate: boolean
  pattern: Pattern | undefined
  words: Words | undefined
  /** Of `validateByteRange`: a pattern of Lua for the bytes that there may not be. */
  wrongBytes: string | undefined
  capture: boolean
  sets: NonNullable<WafCondition['sets']>
  score: number
}

/** `gate`: a number of its own, where a value may say that it does not match (`gates.ts`), else 0. */
export type CompiledWafRule = {
  id: number
  level: number
  conditions: CompiledCondition[]
  skip: number
  gate: number
}

const changing: Record<string, boolean> = { TX: true, MATCHED_VAR: true, MATCHED_VARS: true, MATCHED_VARS_NAMES: true }

function compileCondition(given: WafCondition, tools: PatternCompiler): CompiledCondition {
  let targetsKey: string | undefined = ''
  for (const { from, name, pattern, count, except } of given.targets) {
    if (changing[from] === true) targetsKey = undefined
    else if (targetsKey !== undefined)
      targetsKey += `${except === true ? '!' : ''}${count === true ? '&' : ''}${from}:${name ?? ''}/${pattern ?? ''}|`
  }
  return {
    given,
    targets: given.targets.map((target) => ({
      ...target,
      expression: target.pattern === undefined ? undefined : tools.pattern(target.pattern, true),
    })),
    targetsKey,
    transforms: given.transforms,
    transformsKey: given.transforms.join(','),
    multiMatch: given.multiMatch === true,
    operator: given.operator,
    negated: given.negated === true,
    argument: given.argument,
    isTemplate: given.isTemplate === true,
    pattern: given.operator === 'rx' ? tools.pattern(given.argument, false) : undefined,
    words: given.words === undefined ? undefined : compileWords(given.words),
    wrongBytes: given.operator === 'validateByteRange' ? outside(given.argument) : undefined,
    capture: given.capture === true,
    sets: given.sets ?? [],
    score: given.score ?? 0,
  }
}

/** Of `9,10,32-126` all other bytes. */
function outside(text: string): string {
  const bytes: Record<number, boolean> = {}
  for (const part of text.split(',')) {
    const ends = part.trim().split('-')
    const first = Number(ends[0])
    const last = Number(ends[ends.length - 1])
    if (!(first >= 0 && last <= 255)) throw new Error(`${text} is no range of bytes`)
    for (let byte = first; byte <= last; byte++) bytes[byte] = true
  }
  const wrong: string[] = []
  for (let byte = 0; byte < 256; byte++) {
    if (bytes[byte] === true) continue
    const char = String.fromCharCode(byte)
    wrong.push(byte === 0 ? '%z' : isWordByte(byte) ? char : `%${char}`)
  }
  return wrong.length === 0 ? '' : `[${wrong.join('')}]`
}

/** Throws where an expression does not compile. */
export function compileRuleSet(part: WafRulesPart, tools: PatternCompiler): CompiledWafRule[] {
  return part.rules.map(({ id, level, conditions, skip }, at) => ({
    ...{ id, level, skip: skip ?? 0 },
    conditions: conditions.map((condition) => compileCondition(condition, tools)),
    gate: placesOf(conditions[0]!).length > 0 ? at + 1 : 0,
  }))
}
