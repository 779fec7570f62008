/** Saves an opened rule, and merges a concurrent change. */
import type { RuleMeta } from '@breakwater/contract/rule-list.ts'
import type { z } from 'zod'
import { useRuleKinds } from '../../platform/rule-kinds.ts'
import type { Fields } from '../conflicts/merge.ts'
import { useMergedSave } from '../conflicts/useMergedSave.tsx'
import { changeWords } from '../sentences/rule-words.ts'
import type { Rules, SiteRule } from './useRules.ts'

/**
 * `schema` defines the fields of the form. `save` takes them, and the rule as it was when the form was opened;
 * undefined for a new one.
 */
export function useRuleSave(rules: Rules, schema: z.ZodType) {
  const kinds = useRuleKinds()
  const latest = async (id: number | undefined) => (id === undefined ? undefined : rules.readNow(id))
  return useMergedSave<SiteRule>({
    what: 'conflict.title',
    fieldsOf: (rule) => schema.parse(rule) as Fields,
    write: (fields, base) =>
      rules.save(fields as unknown as RuleMeta, base && { id: base.id, basedOn: base.updatedAt }),
    readNow: () => latest(rules.opened?.id),
    words: (was, is, say) => changeWords(kinds, rules.kind, was, is, say),
  })
}
