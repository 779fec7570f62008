/** The protection modes to choose from. Legacy numbers are kept until they are edited. */
import type { Option } from '../../kit/Select.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { blockTypeName, currentBlockTypes, isCurrent } from '../sentences/block-type-name.ts'

/** The options: the five modes, and a legacy one if the rule still has it. */
export function useBlockTypeOptions(stored: number | undefined): Option<number>[] {
  const t = usePhrases('rules')
  const values: number[] =
    stored === undefined || isCurrent(stored) ? [...currentBlockTypes] : [...currentBlockTypes, stored]
  return values.map((value) => ({ value, label: blockTypeName(value, t) }))
}

/** The actions of rules that block or challenge. */
export function useRuleActionOptions(): Option<number>[] {
  const t = usePhrases('rules')
  return [0, ...currentBlockTypes].map((value) => ({ value, label: blockTypeName(value, t) }))
}
