/** Protection modes in words. Legacy numbers are shown as what they mean, marked, and kept until they are edited (rules H). */
import { legacyBlockTypes } from '@breakwater/contract/fields.ts'
import { type Say, usePhrases } from '../../app/phrases.ts'
import type { Option } from '../../kit/Select.tsx'

const current = [1, 2, 3, 4, 5] as const
type Current = (typeof current)[number]

const isCurrent = (type: number): type is Current => current.some((one) => one === type)

export function blockTypeName(type: number, t: Say<'rules'>): string {
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
