/** A licence's signed text, for the operator, and the public key that its installation must trust. */
import { licenses } from '@breakwater/contract/licenses/licenses.ts'
import { useCall } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Dialog } from '../kit/Dialog.tsx'

export function KeyDialog({ name, licenseKey, onClose }: { name: string; licenseKey: string; onClose: () => void }) {
  const t = usePhrases('licenses')
  const tKit = usePhrases('kit')
  const trust = useCall(licenses.publicKey, {})
  return (
    <Dialog
      wide
      title={t('key.title', { name })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{tKit('close')}</Button>}
    >
      <p className="mb-2 text-ink-2">{t('key.text')}</p>
      <CopyText text={licenseKey} block />
      {trust.data && (
        <>
          <p className="mt-4 mb-2 text-ink-2">{t('key.trust')}</p>
          <CopyText text={trust.data.publicKey} block />
        </>
      )}
    </Dialog>
  )
}
