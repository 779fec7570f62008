/** Imports sites: the configuration from elsewhere is uploaded, reviewed as a draft, and created. */
import type { ImportDraft } from '@breakwater/contract/import/site-import.ts'
import { useState } from 'react'
import { PageHead } from '../../kit/PageHead.tsx'
import { Steps } from '../../kit/Steps.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { DraftStep } from './DraftStep.tsx'
import { type Source, SourceStep } from './SourceStep.tsx'

export function ImportScreen() {
  const t = usePhrases('import')
  const [draft, setDraft] = useState<ImportDraft>()
  // The pasted text is kept for the way back from the draft.
  const [source, setSource] = useState<Source>({ kind: 'nginx', text: '' })
  return (
    <div className="max-w-[960px]">
      <PageHead title={t('title')} help={t('help')} />
      <Steps names={[t('step.source'), t('step.review')]} at={draft ? 1 : 0} />
      {draft ? (
        <DraftStep draft={draft} onBack={() => setDraft(undefined)} />
      ) : (
        <SourceStep source={source} setSource={setSource} onDraft={setDraft} />
      )}
    </div>
  )
}
