/** Shows a link if there is no mail server to send it. */
import { CopyDialog } from '../kit/CopyDialog.tsx'
import { usePhrases } from '../platform/phrases.ts'

export function LinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const t = usePhrases('people')
  const texts = [{ text: location.origin + link, about: t('undelivered.text') }]
  return <CopyDialog title={t('undelivered')} texts={texts} onClose={onClose} />
}
