/** Names protection modes; 0 blocks. Legacy numbers are shown by their meaning, and marked as legacy. */
import { legacyBlockTypes } from '@breakwater/contract/fields.ts'
import type { Say } from '../../platform/phrases.ts'

export const currentBlockTypes = [1, 2, 3, 4, 5] as const
type Current = (typeof currentBlockTypes)[number]

export const isCurrent = (type: number): type is Current => currentBlockTypes.some((one) => one === type)

export function blockTypeName(type: number, t: Say<'rules'>): string {
  if (type === 0) return t('do.block')
  if (isCurrent(type)) return t(`blockType.${type}`)
  const twin = legacyBlockTypes[type]
  return twin !== undefined && isCurrent(twin) ? t('blockType.legacy', { name: t(`blockType.${twin}`) }) : String(type)
}
