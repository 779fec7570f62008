/** Protection modes to choose from. Legacy numbers are kept until they are edited. */
import type { Option } from '../../kit/Select.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { blockTypeName, currentBlockTypes, isCurrent } from '../sentences/block-type-name.ts'

/** What can be chosen: the five modes, and a legacy one where the rule has it still. */
export function useBlockTypeOptions(stored: number | undefined): Option<number>[] {
  const t = usePhrases('rules')
  const values: number[] =
    stored === undefined || isCurrent(stored) ? [...currentBlockTypes] : [...currentBlockTypes, stored]
  return values.map((value) => ({ value, label: blockTypeName(value, t) }))
}

/** What rules can do that refuse or challenge. */
export function useRuleActionOptions(): Option<number>[] {
  const t = usePhrases('rules')
  return [0, ...currentBlockTypes].map((value) => ({ value, label: blockTypeName(value, t) }))
}
