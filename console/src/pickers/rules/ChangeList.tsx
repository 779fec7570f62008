/** The changes of a site: sentences, grouped by part, each with a line-by-line diff on request. */
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Diff } from '../../kit/Diff.tsx'
import { Marked } from '../../kit/Marked.tsx'
import { Status, type Tone } from '../../kit/Status.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { useRuleKinds } from '../../platform/rule-kinds.ts'
import { type PartChange, partWords, unitName } from '../sentences/part-words.ts'
import { seenFields } from '../sentences/rule-words.ts'
import { useRuleSay } from './use-rule-words.ts'

export type { PartChange } from '../sentences/part-words.ts'

const tones = { added: 'ok', removed: 'bad', changed: 'info' } as const satisfies Record<string, Tone>
/** Losses come first. */
const order = ['removed', 'changed', 'added'] as const
/** How many changes of a part are shown until more are requested. */
const shownMax = 20

/** Returns the part that a change belongs to, by its path: `compression` for `settings/compression`. */
export const partOf = ({ path, part }: PartChange & { part?: string }): string => {
  const [list = '', name = ''] = path.split('/')
  return part ?? (list === 'settings' ? name : list)
}

export function ChangeList({ changes }: { changes: readonly (PartChange & { part?: string })[] }) {
  const kinds = useRuleKinds()
  const say = useRuleSay()
  const groups = [...Map.groupBy(changes, partOf)]
  return (
    <div className="space-y-5">
      {groups.map(([part, members]) => (
        <section key={part}>
          {groups.length > 1 && <h3 className="mb-2 font-semibold">{unitName(kinds, part, say)}</h3>}
          <Sentences changes={members} />
        </section>
      ))}
    </div>
  )
}

function Sentences({ changes }: { changes: readonly PartChange[] }) {
  const t = usePhrases('rules')
  const [isWhole, setWhole] = useState(false)
  const sorted = changes.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind))
  const shown = isWhole ? sorted : sorted.slice(0, shownMax)
  return (
    <>
      <ul className="space-y-2">
        {shown.map((change) => (
          <li key={change.path}>
            <Sentence {...change} />
          </li>
        ))}
      </ul>
      {shown.length < sorted.length && (
        <Button size="sm" className="mt-2" onClick={() => setWhole(true)}>
          {t('changes.more', { n: sorted.length - shown.length })}
        </Button>
      )}
    </>
  )
}

function Sentence(change: PartChange) {
  const t = usePhrases('rules')
  const kinds = useRuleKinds()
  const say = useRuleSay()
  const [isOpen, setOpen] = useState(false)
  const { path, kind, before, after } = change
  const shown = (value: unknown) =>
    typeof value === 'object' && value && path.split('/')[0]! in kinds ? seenFields(value) : (value ?? null)
  return (
    <>
      <Status wraps tone={tones[kind]}>
        <Marked text={partWords(kinds, change, say)} />
      </Status>
      <details className="mt-0.5 pl-4" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary className="cursor-pointer text-ink-3 text-xs">
          {t('fields')} <code className="mono">{path}</code>
        </summary>
        {isOpen && (
          <div className="mt-1.5">
            <Diff label={`${t('fields')} ${path}`} before={shown(before)} after={shown(after)} />
          </div>
        )}
      </details>
    </>
  )
}
