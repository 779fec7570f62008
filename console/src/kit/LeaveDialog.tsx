/** The confirmation before unsaved input is lost. */
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'

export function LeaveDialog({ onStay, onDiscard }: { onStay: () => void; onDiscard: () => void }) {
  const t = usePhrases('kit')
  return (
    <Dialog
      title={t('leave.title')}
      onClose={onStay}
      footer={
        <>
          <Button onClick={onStay}>{t('leave.stay')}</Button>
          <Button look="danger" onClick={onDiscard}>
            {t('leave.discard')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{t('leave.text')}</p>
    </Dialog>
  )
}
