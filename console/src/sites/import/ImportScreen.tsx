/** Moving sites here: what is set up elsewhere is uploaded, looked through as a draft, and made. */
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
  // What was pasted is there again for whoever comes back.
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
