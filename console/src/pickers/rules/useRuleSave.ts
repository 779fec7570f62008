/** Saving an opened rule: a change that somebody made meanwhile is merged, or shown where both touch the same fields. */
import { useState } from 'react'
import type { z } from 'zod'
import { plain } from '../../kit/Marked.tsx'
import { Fault } from '../../platform/fault.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { toasts } from '../../platform/toasts.ts'
import type { Conflict } from './ConflictDialog.tsx'
import { mergeFields } from './merge.ts'
import { useChangeWords } from './rule-words.ts'
import type { Rules, SiteRule } from './useRules.ts'

type Body = Parameters<Rules['save']>[0]
type Fields = Readonly<Record<string, unknown>>

const isConflict = (error: unknown): error is Fault =>
  error instanceof Fault && error.fields.some(({ reason }) => reason === 'changedMeanwhile')

/** `base` is the rule as it was when its form was opened; nothing for a new one. */
export function useRuleSave(rules: Rules, schema: z.ZodType, base: SiteRule | undefined) {
  const t = usePhrases('rules')
  const words = useChangeWords()
  const [conflict, setConflict] = useState<Conflict>()
  const { kind } = rules

  async function save(body: Body): Promise<void> {
    if (!base) return rules.save(body)
    try {
      await rules.save(body, { id: base.id, basedOn: base.updatedAt })
    } catch (error) {
      const now = isConflict(error) ? await rules.readNow(base.id) : undefined
      if (!now) throw error
      await merge(base, body, now, error)
    }
  }

  async function merge(before: SiteRule, mine: Body, now: SiteRule, refusal: unknown): Promise<void> {
    const [was, theirs] = [schema.parse(before) as Fields, schema.parse(now) as Fields]
    const { merged, clashes } = mergeFields(was, mine as unknown as Fields, theirs)
    const saveMerged = () => rules.save(merged as unknown as Body, { id: now.id, basedOn: now.updatedAt })
    if (clashes.length === 0) {
      await saveMerged()
      return toasts.info(t('conflict.merged', { changes: plain(words(kind, was, theirs)) }))
    }
    const saveMine = async () => {
      await saveMerged()
      toasts.done(t('done.set'))
      rules.close()
    }
    setConflict({ base: was, mine, theirs, saveMine })
    throw refusal
  }
  return { save, conflict, dismiss: () => setConflict(undefined) }
}
