/** Protection modes in words; 0 refuses. Legacy numbers are shown as what they mean, marked, and kept until they are edited. */
import { legacyBlockTypes } from '@breakwater/contract/fields.ts'
import type { Option } from '../../kit/Select.tsx'
import { type Say, usePhrases } from '../../platform/phrases.ts'

const current = [1, 2, 3, 4, 5] as const
type Current = (typeof current)[number]

const isCurrent = (type: number): type is Current => current.some((one) => one === type)

export function blockTypeName(type: number, t: Say<'rules'>): string {
  if (type === 0) return t('do.block')
  if (isCurrent(type)) return t(`blockType.${type}`)
  const twin = legacyBlockTypes[type]
  return twin !== undefined && isCurrent(twin) ? t('blockType.legacy', { name: t(`blockType.${twin}`) }) : String(type)
}

/** What can be chosen: the five modes, and a legacy one where the rule has it still. */
export function useBlockTypeOptions(stored: number | undefined): Option<number>[] {
  const t = usePhrases('rules')
  const values: number[] = stored === undefined || isCurrent(stored) ? [...current] : [...current, stored]
  return values.map((value) => ({ value, label: blockTypeName(value, t) }))
}

/** What rules can do that refuse or challenge. */
export function useRuleActionOptions(): Option<number>[] {
  const t = usePhrases('rules')
  return [0, ...current].map((value) => ({ value, label: blockTypeName(value, t) }))
}
