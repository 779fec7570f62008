/** A licence's signed text, for the operator, and the public key that the operator's installation must trust. */
import { licenses } from '@breakwater/contract/licenses/licenses.ts'
import { CopyDialog } from '../kit/CopyDialog.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

export function KeyDialog({ name, licenseKey, onClose }: { name: string; licenseKey: string; onClose: () => void }) {
  const t = usePhrases('licenses')
  const trust = useCall(licenses.publicKey, {})
  const texts = [
    { text: licenseKey, about: t('key.text') },
    ...(trust.data ? [{ text: trust.data.publicKey, about: t('key.trust') }] : []),
  ]
  return <CopyDialog title={t('key.title', { name })} texts={texts} onClose={onClose} />
}
