/**
 * Exports the rows of the query as a file: continues while the user visits other pages, and reports exceeded limits.
 */
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { Download } from 'lucide-react'
import { IconButton } from '../kit/Button.tsx'
import { startJob, useJob } from '../kit/useJob.ts'
import { download } from '../platform/download.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { Asked } from './explorer-state.ts'

const job = 'export/log'

export function ExportButton({ asked }: { asked: Asked }) {
  const t = usePhrases('logs')
  const isBusy = useJob(job)?.isOver === false
  const save = () =>
    startJob({
      id: job,
      async run() {
        await download(logExplorer.export, { body: asked })
        return { said: t('search.exported') }
      },
    })
  return (
    <IconButton look="line" label={t('search.export')} busy={isBusy} onClick={save}>
      <Download size={14} aria-hidden />
    </IconButton>
  )
}
