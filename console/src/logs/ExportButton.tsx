/** The rows of the question as a file: waits while it is read, and says what the limits say. */
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { download } from '../app/download.ts'
import { usePhrases } from '../app/phrases.ts'
import { IconButton } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { toasts } from '../kit/toasts.ts'
import type { Asked } from './explorer-state.ts'

export function ExportButton({ asked }: { asked: Asked }) {
  const t = usePhrases('logs')
  const [isBusy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      await download(logExplorer.export, { body: asked })
      toasts.done(t('search.exported'))
    } catch (fault) {
      await showFault(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <IconButton look="line" label={t('search.export')} busy={isBusy} onClick={save}>
      <Download size={14} aria-hidden />
    </IconButton>
  )
}
