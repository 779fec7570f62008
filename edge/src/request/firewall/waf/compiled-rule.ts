/** A compiled rule of a rule set. */
import type { WafCondition, WafTarget, WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { ByteSet, Pattern } from '../../lib/waf-tools.ts'
import type { Words } from './words.ts'

export type CompiledTarget = WafTarget & { expression: Pattern | undefined }

export type CompiledCondition = {
  given: WafCondition
  targets: CompiledTarget[]
  /** Equal for equal targets; undefined if their values change from rule to rule. */
  targetsKey: string | undefined
  transforms: WafTransform[]
  multiMatch: boolean
  operator: WafCondition['operator']
  negated: boolean
  argument: string
  isTemplate: boolean
  pattern: Pattern | undefined
  words: Words | undefined
  /** For `validateByteRange`: the bytes that are not allowed. */
  wrongBytes: ByteSet | undefined
  capture: boolean
  sets: NonNullable<WafCondition['sets']>
  score: number
  /** For a gate: what a value must lead on to (`chains.ts`); absent if it opens the gate by itself. */
  next?: Next
}

/** The condition that follows a gate's condition (`chains.ts`), and what other rules read from `TX`. */
export type Next = { condition: CompiledCondition; read: Reads }

/** Names in `TX`, and expressions that match names. */
export type Reads = { names: string[]; patterns: Pattern[] }

/**
 * `gate`: the condition that a single value can rule out (`gates.ts`), if any. `quick`: conditions checked first
 * (`quick.ts`). `isLate`: reads only what other rules set, so it cannot match before one has. `isControl`: if it
 * matches, other rules are skipped, or skip some values.
 */
export type CompiledWafRule = {
  id: number
  level: number
  conditions: CompiledCondition[]
  skip: number
  gate: CompiledCondition | undefined
  quick: CompiledCondition[]
  isLate: boolean
  isControl: boolean
  unlessMatched: readonly number[] | undefined
}
