/** What changed of a site, part by part: a rule's change as a sentence, with its fields below it; anything else line by line. */
import { usePhrases } from '../../app/phrases.ts'
import { Diff } from '../../kit/Diff.tsx'
import { Marked } from '../../kit/Marked.tsx'
import { Badge, Status, type Tone } from '../../kit/Status.tsx'
import { isRuleKind, seenFields, useChangeWords } from './rule-words.ts'

/** A part by its path: `denyRules/17`, `domains/example.com`, `settings/…`. */
export type PartChange = { path: string; kind: 'added' | 'removed' | 'changed'; before?: unknown; after?: unknown }

const tones = { added: 'ok', removed: 'bad', changed: 'info' } as const satisfies Record<string, Tone>

/** Of a rule what a person set, and nothing that the machine noted of it. */
const shownOf = (path: string, value: unknown) =>
  typeof value === 'object' && value && isRuleKind(path.split('/')[0]!) ? seenFields(value) : (value ?? null)

export function ChangeList({ changes }: { changes: readonly PartChange[] }) {
  const t = usePhrases('rules')
  return (
    <ul className="space-y-4">
      {changes.map(({ path, kind, before, after }) => (
        <li key={path}>
          <p className="mb-1.5 flex flex-wrap items-center gap-2">
            <ChangeName path={path} kind={kind} before={before} after={after} />
          </p>
          <Diff label={`${t('fields')} ${path}`} before={shownOf(path, before)} after={shownOf(path, after)} />
        </li>
      ))}
    </ul>
  )
}

function ChangeName({ path, kind, before, after }: PartChange) {
  const t = usePhrases('rules')
  const words = useChangeWords()
  const area = path.split('/')[0]!
  const name = <code className="mono text-ink-3">{path}</code>
  // The audit log shortens what is long to a remark, of which no sentence can be made.
  if (!isRuleKind(area) || [before, after].some((value) => typeof value === 'string'))
    return (
      <>
        <Badge tone={tones[kind]}>{t(`part.${kind}`)}</Badge>
        {name}
      </>
    )
  return (
    <>
      <Status wraps tone={tones[kind]}>
        <Marked text={words(area, before, after)} />
      </Status>
      {name}
    </>
  )
}
