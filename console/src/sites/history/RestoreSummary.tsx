/** What a restore does, part by part: how many items are removed, changed and added. Parts can be left out. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import type { history } from '@breakwater/contract/sites/history.ts'
import { useId } from 'react'
import { cn } from '../../kit/cn.ts'
import { Checkbox } from '../../kit/Toggle.tsx'
import { useRuleSay } from '../../pickers/rules/use-rule-words.ts'
import { unitName } from '../../pickers/sentences/part-words.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useRuleKinds } from '../../platform/rule-kinds.ts'

export type Changes = Reply<typeof history.diff>['changes']

type Props = { changes: Changes; switched: ReadonlySet<string>; onSwitch: (parts: ReadonlySet<string>) => void }

const kindsOfChange = ['removed', 'changed', 'added'] as const

/** Whether a restore reverts a change. What other sites use as well is left out until its part is ticked. */
export const isChosen = ({ part, isRestored, isRestorable }: Changes[number], switched: ReadonlySet<string>): boolean =>
  isRestorable && isRestored !== switched.has(part)

export function RestoreSummary({ changes, switched, onSwitch }: Props) {
  const t = usePhrases('sites')
  const tRules = usePhrases('rules')
  const kinds = useRuleKinds()
  const say = useRuleSay()
  const id = useId()
  const parts = [...Map.groupBy(changes, ({ part }) => part)]
  const toggle = (part: string) => {
    const next = new Set(switched)
    if (!next.delete(part)) next.add(part)
    onSwitch(next)
  }
  return (
    <ul className="mt-2 max-h-40 space-y-1 overflow-y-auto">
      {parts.map(([part, members]) => {
        const name = unitName(kinds, part, say)
        const { isRestored } = members[0]!
        const isRestorable = members.some((change) => change.isRestorable)
        const isOn = members.some((change) => isChosen(change, switched))
        return (
          <li key={part}>
            <label htmlFor={`${id}-${part}`} className="flex items-center gap-2">
              <Checkbox
                id={`${id}-${part}`}
                checked={isOn}
                disabled={!isRestorable || (isRestored && parts.length === 1)}
                aria-label={t('history.part', { name })}
                onCheckedChange={() => toggle(part)}
              />
              <span className="font-medium text-ink">{name}</span>
              {kindsOfChange.map((kind) => {
                const n = members.filter((change) => change.kind === kind).length
                return n === 0 ? null : (
                  <span key={kind} className={cn('num', kind === 'removed' && isOn && 'font-medium text-bad')}>
                    {tRules(`count.${kind}`, { n })}
                  </span>
                )
              })}
              {!isRestored && (
                <span className="text-ink-3 text-xs">{t(isRestorable ? 'history.shared' : 'history.stays')}</span>
              )}
            </label>
          </li>
        )
      })}
    </ul>
  )
}
