/** Shows a link that no mail server sends. */
import { CopyDialog } from '../kit/CopyDialog.tsx'
import { usePhrases } from '../platform/phrases.ts'

export function LinkDialog({ link, onClose }: { link: string; onClose: () => void }) {
  const t = usePhrases('people')
  const texts = [{ text: location.origin + link, about: t('undelivered.text') }]
  return <CopyDialog title={t('undelivered')} texts={texts} onClose={onClose} />
}
