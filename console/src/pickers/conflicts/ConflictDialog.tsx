/** Two people changed the same fields: both changes in words, and the choice which to keep. */
import { Marked } from '../../kit/Marked.tsx'
import { ReviewDialog } from '../../kit/ReviewDialog.tsx'
import { usePhrases } from '../../platform/phrases.ts'

export type Conflict = {
  title: string
  /** What each of them changed, to be rendered by `Marked`. */
  theirs: string
  mine: string
  keepTheirs: () => Promise<void>
  saveMine: () => Promise<void>
  /** Closed without a choice: nothing is saved. */
  onClose: () => void
}

export function ConflictDialog({ title, theirs, mine, keepTheirs, saveMine, onClose }: Conflict) {
  const t = usePhrases('rules')
  return (
    <ReviewDialog
      title={title}
      affected={t('conflict.text')}
      choices={[
        { label: t('conflict.keepTheirs'), look: 'line', act: keepTheirs },
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
        ).map(([whose, text]) => (
          <div key={whose}>
            <dt className="mb-1 font-medium">{t(`conflict.${whose}`)}</dt>
            <dd className="rounded-panel border border-line px-3 py-2">
              <Marked text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </ReviewDialog>
  )
}
