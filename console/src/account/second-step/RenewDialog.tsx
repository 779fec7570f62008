/** Replaces the recovery codes with new ones. */
import { secondStep } from '@breakwater/contract/auth/second-step.ts'
import { useState } from 'react'
import { Dialog } from '../../kit/Dialog.tsx'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { AskForm } from './AskForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

export function RenewDialog({ onClose }: { onClose: () => void }) {
  const t = usePhrases('account')
  const [codes, setCodes] = useState<string[]>()
  const renew = useChange(secondStep.renewRecoveryCodes, secondStep.state)
  return (
    <Dialog title={t('codes.renewTitle')} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : (
        <>
          <p className="mb-4 text-ink-2">{t('codes.renewText')}</p>
          <AskForm
            name="password"
            label={t('setUp.password')}
            submit={t('codes.renew')}
            save={async (password) => setCodes((await renew.mutateAsync({ body: { password } })).recoveryCodes)}
          />
        </>
      )}
    </Dialog>
  )
}
