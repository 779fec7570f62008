/** A rule of a set ready to be asked. */
import type { WafCondition, WafTarget, WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { ByteSet, Pattern } from '../../lib/waf-tools.ts'
import type { Words } from './words.ts'

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

/** What a gate's condition leads on to (`chains.ts`), and what other rules read of `TX`. */
export type Next = { condition: CompiledCondition; read: Reads }

/** Names of `TX`, and expressions for them. */
export type Reads = { names: string[]; patterns: Pattern[] }

/**
 * `gate`: which of its conditions a value may say not to hold (`gates.ts`), or nothing. `quick`: those that are looked at
 * first (`quick.ts`). `isLate`: it asks for what other rules set, and matches nothing as long as none did. `isControl`:
 * where it matches, others are not asked, or not about all values.
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
