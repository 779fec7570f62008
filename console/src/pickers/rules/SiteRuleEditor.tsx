/**
 * The drawer for one rule of a site: prefilled from the URL, tested against the last day's traffic, saved to its list.
 */
import type { TriedKind } from '@breakwater/contract/firewall/kinds.ts'
import type { RuleMeta } from '@breakwater/contract/rule-list.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { z } from 'zod'
import { Marked } from '../../kit/Marked.tsx'
import { type RuleCondition, RuleEditor } from '../../kit/RuleEditor.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import type { Fields } from '../conflicts/merge.ts'
import { usePrefill } from './prefill.ts'
import { TryRule } from './TryRule.tsx'
import { useChangeWords } from './use-rule-words.ts'
import { useRuleSave } from './useRuleSave.ts'
import type { Rules } from './useRules.ts'

type Item = z.ZodObject<Pick<(typeof RuleMeta)['shape'], 'enabled' | 'memo'>>
type Props<I extends Item> = {
  rules: Rules
  schema: I
  /** The initial values of a new rule. */
  fresh: z.output<I>
  conditions: readonly RuleCondition[]
  action?: ReactNode
  /** The kind's name in the back-test; undefined if it cannot be tested. */
  tries?: TriedKind
  /** A different way to test it. */
  trial?: ReactNode
  /** The message after a new rule was saved. */
  added?: string
  /** Converts the form's values to the request body. */
  prepare?: (body: z.output<I>) => z.output<I>
}

export function SiteRuleEditor<I extends Item>(props: Props<I>) {
  const { rules, schema, fresh, prepare, tries, trial, added, ...rest } = props
  const t = usePhrases('rules')
  const format = useFormat()
  const changeWords = useChangeWords()
  const { siteId, domainId, kind } = rules
  // The rule that the form was filled with; the list may be fetched again meanwhile.
  const [opened] = useState(rules.opened)
  const saving = useRuleSave(rules, schema)
  const stored = opened && (schema.parse(opened) as z.output<I>)
  const begun = usePrefill(schema as unknown as z.ZodType<z.output<I>>, stored ?? fresh)
  const form = useResourceForm(schema as unknown as z.ZodType<z.output<I>, z.output<I>>, {
    values: stored ?? begun,
    save: (body) => saving.save(placed(prepare ? prepare(body) : body) as Fields, opened),
    done: ({ kept }) => kept ?? (opened || !added ? t('done.set') : added),
    onSaved: rules.close,
  })
  // A link may propose a change to a saved rule: it is shown as an edit, to be tested and saved.
  const proposed = useRef(stored && begun !== stored ? begun : undefined)
  const { setValue, getValues } = form.methods
  useEffect(() => {
    const fields = Object.entries(proposed.current ?? {})
    proposed.current = undefined
    for (const [name, value] of fields)
      if (JSON.stringify(value) !== JSON.stringify(getValues(name))) setValue(name, value, { shouldDirty: true })
  }, [setValue, getValues])
  /** A new rule is appended, unless it was prefilled with a priority of its own. */
  function placed(body: object): object {
    const priorityOf = (rule: object) => (rule as { priority?: number }).priority
    if (opened || priorityOf(begun) !== priorityOf(fresh)) return body
    const { priority: _, ...unplaced } = body as { priority?: number }
    return unplaced
  }
  const hits = opened && rules.hits?.get(opened.id)?.requests
  return (
    <>
      <RuleEditor
        form={form}
        stored={opened}
        onClose={rules.close}
        trial={tries ? <TryRule siteId={siteId} domainId={domainId} kind={tries} ruleId={opened?.id} /> : trial}
        review={(values) => (
          <>
            {hits !== undefined && <p className="mb-3 text-ink-2">{t('review.hits', { hits: format.number(hits) })}</p>}
            <p className="rounded-panel border border-line px-3 py-2">
              <Marked text={changeWords(kind, opened && schema.parse(opened), values)} />
            </p>
          </>
        )}
        hasMode={rules.hasMode}
        isAllow={kind === 'allowRules'}
        {...rest}
      />
      {saving.dialog}
    </>
  )
}
