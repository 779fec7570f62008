/** Two people changed the same fields of a rule: both changes as sentences, and which to keep. */
import { Marked } from '../../kit/Marked.tsx'
import { ReviewDialog } from '../../kit/ReviewDialog.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { useChangeWords } from './rule-words.ts'

export type Conflict = { base: object; mine: object; theirs: object; saveMine: () => Promise<void> }

type Props = Conflict & { kind: string; keepTheirs: () => void; onClose: () => void }

export function ConflictDialog({ kind, base, mine, theirs, saveMine, keepTheirs, onClose }: Props) {
  const t = usePhrases('rules')
  const words = useChangeWords()
  const keep = async () => keepTheirs()
  return (
    <ReviewDialog
      title={t('conflict.title')}
      affected={t('conflict.text')}
      choices={[
        { label: t('conflict.keepTheirs'), look: 'line', act: keep },
        { label: t('conflict.saveMine'), act: saveMine },
      ]}
      onClose={onClose}
    >
      <dl className="space-y-3">
        {(
          [
            ['theirs', theirs],
            ['mine', mine],
          ] as const
        ).map(([whose, rule]) => (
          <div key={whose}>
            <dt className="mb-1 font-medium">{t(`conflict.${whose}`)}</dt>
            <dd className="rounded-panel border border-line px-3 py-2">
              <Marked text={words(kind, base, rule)} />
            </dd>
          </div>
        ))}
      </dl>
    </ReviewDialog>
  )
}
