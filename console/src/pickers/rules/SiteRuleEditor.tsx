/** The drawer of one rule of a site: begun as the address says, tried on yesterday's traffic, saved to its list. */
import type { BacktestKind } from '@breakwater/contract/firewall/backtest.ts'
import type { RuleMeta } from '@breakwater/contract/rule-list.ts'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { useFormat } from '../../app/format.ts'
import { usePhrases } from '../../app/phrases.ts'
import { Marked } from '../../kit/Marked.tsx'
import { type RuleCondition, RuleEditor } from '../../kit/RuleEditor.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { usePrefill } from './prefill.ts'
import { useChangeWords } from './rule-words.ts'
import { TryRule } from './TryRule.tsx'
import type { Rules } from './useRules.ts'

type Item = z.ZodObject<(typeof RuleMeta)['shape']>
type Props<I extends Item> = {
  rules: Rules
  schema: I
  /** A new rule. */
  fresh: z.output<I>
  conditions: readonly RuleCondition[]
  action?: ReactNode
  /** The kind as the back-test calls it; left out where it cannot be tried. */
  tries?: BacktestKind
  hasMode?: boolean
  /** What is said when a new one was saved. */
  added?: string
  /** What is sent of what the form holds. */
  prepare?: (body: z.output<I>) => z.output<I>
}

export function SiteRuleEditor<I extends Item>({ rules, schema, fresh, prepare, tries, added, ...rest }: Props<I>) {
  const t = usePhrases('rules')
  const format = useFormat()
  const changeWords = useChangeWords()
  const { opened, siteId, kind } = rules
  const begun = usePrefill(schema as unknown as z.ZodType<z.output<I>>, fresh)
  const form = useResourceForm(schema as unknown as z.ZodType<z.output<I>, z.output<I>>, {
    values: opened ? (schema.parse(opened) as z.output<I>) : begun,
    save: (body) => rules.save(placed(prepare ? prepare(body) : body) as RuleMeta),
    done: opened || !added ? t('done.set') : added,
    onSaved: rules.close,
  })
  /** A new rule comes last, unless it was begun with a place of its own. */
  function placed(body: object): object {
    const priorityOf = (rule: object) => (rule as { priority?: number }).priority
    if (opened || priorityOf(begun) !== priorityOf(fresh)) return body
    const { priority: _, ...unplaced } = body as { priority?: number }
    return unplaced
  }
  const hits = opened && rules.hits?.get(opened.id)
  return (
    <RuleEditor
      form={form}
      stored={opened}
      onClose={rules.close}
      trial={tries && <TryRule siteId={siteId} kind={tries} ruleId={opened?.id} />}
      review={(values) => (
        <>
          {hits !== undefined && <p className="mb-3 text-ink-2">{t('review.hits', { hits: format.number(hits) })}</p>}
          <p className="rounded-panel border border-line px-3 py-2">
            <Marked text={changeWords(kind, opened && schema.parse(opened), values)} />
          </p>
        </>
      )}
      {...rest}
    />
  )
}
