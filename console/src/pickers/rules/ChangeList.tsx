/** What changed of a site, part by part: a rule's change as a sentence, with its fields below it; anything else line by line. */
import { usePhrases } from '../../app/phrases.ts'
import { Diff } from '../../kit/Diff.tsx'
import { Marked } from '../../kit/Marked.tsx'
import { Badge, type Tone } from '../../kit/Status.tsx'
import { fieldsOfRule, isRuleKind, useChangeWords } from './rule-words.ts'

/** A part by its path: `denyRules/17`, `domains/example.com`, `settings/…`. */
export type PartChange = { path: string; kind: 'added' | 'removed' | 'changed'; before?: unknown; after?: unknown }

const tones = { added: 'ok', removed: 'bad', changed: 'info' } as const satisfies Record<string, Tone>

/** A rule's own fields in an order that reads well: what it judges before what was noted of it. */
const shownOf = (path: string, value: unknown) =>
  typeof value === 'object' && value && isRuleKind(path.split('/')[0]!) ? fieldsOfRule(value) : (value ?? null)

export function ChangeList({ changes }: { changes: readonly PartChange[] }) {
  const t = usePhrases('rules')
  return (
    <ul className="space-y-4">
      {changes.map(({ path, kind, before, after }) => (
        <li key={path}>
          <p className="mb-1.5 flex flex-wrap items-center gap-2">
            <Badge tone={tones[kind]}>{t(`part.${kind}`)}</Badge>
            <ChangeName path={path} before={before} after={after} />
          </p>
          <Diff label={`${t('fields')} ${path}`} before={shownOf(path, before)} after={shownOf(path, after)} />
        </li>
      ))}
    </ul>
  )
}

function ChangeName({ path, before, after }: Omit<PartChange, 'kind'>) {
  const words = useChangeWords()
  const kind = path.split('/')[0]!
  // The audit log shortens what is long to a remark.
  if (!isRuleKind(kind) || [before, after].some((value) => typeof value === 'string'))
    return <code className="mono">{path}</code>
  return (
    <>
      <span className="min-w-0">
        <Marked text={words(kind, before, after)} />
      </span>
      <code className="mono text-ink-3">{path}</code>
    </>
  )
}
