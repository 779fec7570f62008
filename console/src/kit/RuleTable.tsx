/** A list of rules in evaluation order: each as a sentence, with its switch, its mode and its matches. */
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Fault } from '../platform/fault.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { Button } from './Button.tsx'
import { Empty } from './Empty.tsx'
import { showFault } from './faults.tsx'
import { Marked, plain } from './Marked.tsx'
import { ResourceTable } from './ResourceTable.tsx'
import { RuleReview } from './RuleReview.tsx'
import { ruleColumns } from './rule-columns.tsx'
import type { Bulk, RuleHits, RuleRow, RuleWords } from './rule-row.ts'
import type { Column, Go, ListState } from './table-column.ts'
import { useRuleOrder } from './useRuleOrder.ts'
import type { ReadPage } from './useSelection.ts'

export type { RuleHits, RuleRow } from './rule-row.ts'

/** The actions on the rules of a list. One is left out if it is not permitted or not supported. */
export type RuleActions<Rule> = {
  set?: ((ids: number[], patch: Partial<Pick<RuleRow, 'enabled' | 'mode'>>) => Promise<unknown>) | undefined
  remove?: ((ids: number[]) => Promise<unknown>) | undefined
  /** Moves a rule to a position; 0 is the first across all pages. Without it the list has no order. */
  move?: ((rule: Rule, to: number) => Promise<unknown>) | undefined
}

const modes = ['enforce', 'observe'] as const

type Props<Rule extends RuleRow> = {
  label: string
  /** The key under which its look is stored. */
  list: string
  call: UseQueryResult<{ data: Rule[]; total: number }, Fault>
  /** Fetches a page of all rules, so that all of them can be selected. */
  readPage?: ReadPage<Rule> | undefined
  state: ListState
  go: Go
  /** The rule in words: its conditions and its action. Values in them are marked. */
  words: (rule: Rule) => RuleWords
  actions: RuleActions<Rule>
  onOpen: (rule: Rule) => void
  /** Requests that each rule matched, by id; null while unknown, undefined if not counted. */
  hits?: ReadonlyMap<number, RuleHits> | null | undefined
  /** The search parameters that list the requests a rule matched. */
  hitsAt?: ((rule: Rule) => object) | undefined
  /** Whether rules can merely observe. */
  hasMode?: boolean
  /** Additional columns of this kind of rule. */
  columns?: readonly Column<Rule>[]
  /** What removing does, in words. */
  removal: string
  empty: { title: string; text: string; action: ReactNode }
  /** Templates to start from while the list is empty. */
  templates?: readonly { label: string; begin: () => void }[]
}

export function RuleTable<Rule extends RuleRow>(props: Props<Rule>) {
  const { call, state, words, actions, onOpen, hits, hitsAt, hasMode = true, templates = [], empty } = props
  const t = usePhrases('rules')
  const format = useFormat()
  const [bulk, setBulk] = useState<Bulk<Rule>>()
  const order = useRuleOrder(call.data, state, actions.move)
  const { set, remove } = actions

  function enable(rule: Rule, enabled: boolean) {
    const back = () => void set?.([rule.id], { enabled: !enabled }).catch(showFault)
    void set?.([rule.id], { enabled })
      .then(() => toasts.undo(t(enabled ? 'done.inForce' : 'done.outOfForce'), back))
      .catch(showFault)
  }
  const name = (rule: Rule) => plain(t('sentence', words(rule)))
  const columns = ruleColumns<Rule>({
    t,
    format,
    words,
    name,
    onOpen,
    order,
    hits,
    hitsAt,
    hasMode,
    extra: props.columns ?? [],
    enable: set && enable,
    ask: set && remove ? (does, rule) => setBulk({ does, rules: [rule], clear: () => undefined }) : undefined,
  })
  const choices: readonly (readonly [Bulk<Rule>['does'], string])[] = [
    ['enable', t('enableMany')],
    ['disable', t('disableMany')],
    ...(hasMode ? modes.map((does) => [does, t(`mode.${does}`)] as const) : []),
  ]
  return (
    <div
      ref={order.frame}
      {...order.handlers}
      className="[&_tr[data-drop=over]>td]:shadow-[inset_0_2px_var(--accent)] [&_tr[data-drop=under]>td]:shadow-[inset_0_-2px_var(--accent)]"
    >
      <ResourceTable<Rule>
        label={props.label}
        list={props.list}
        call={call}
        readPage={props.readPage}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={name}
        state={state}
        go={props.go}
        onOpen={onOpen}
        bulk={
          set && remove
            ? (rules, clear) => (
                <>
                  {choices.map(([does, label]) => (
                    <Button key={does} size="sm" onClick={() => setBulk({ does, rules, clear })}>
                      {label}
                    </Button>
                  ))}
                  <Button size="sm" look="danger" onClick={() => setBulk({ does: 'remove', rules, clear })}>
                    {t('remove.label')}
                  </Button>
                </>
              )
            : undefined
        }
        empty={
          <Empty title={empty.title} action={empty.action}>
            {empty.text}
            {set && templates.length > 0 && (
              <div className="mt-3 flex flex-wrap items-center justify-center gap-1.5">
                <span className="w-full text-ink-3 text-xs">{t('begin')}</span>
                {templates.map(({ label, begin }) => (
                  <Button key={label} size="sm" onClick={begin}>
                    {label}
                  </Button>
                ))}
              </div>
            )}
          </Empty>
        }
      />
      {bulk && set && remove && (
        <RuleReview
          bulk={bulk}
          sentence={(rule) => <Marked text={t('sentence', words(rule))} />}
          // The matches are only known for the rules of this page.
          hits={
            bulk.rules.every(({ id }) => call.data?.data.some((rule) => rule.id === id))
              ? (hits ?? undefined)
              : undefined
          }
          removal={props.removal}
          set={set}
          remove={remove}
          onClose={() => setBulk(undefined)}
        />
      )}
    </div>
  )
}
