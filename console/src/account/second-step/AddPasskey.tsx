/** Adds a passkey: the password, a name, and then the prompt of the device itself. */
import { account } from '@breakwater/contract/account/self.ts'
import { passkeys, secondStep } from '@breakwater/contract/auth/second-step.ts'
import { useState } from 'react'
import { Dialog } from '../../kit/Dialog.tsx'
import { useChange } from '../../platform/calls.ts'
import { makePasskey } from '../../platform/passkeys.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { toasts } from '../../platform/toasts.ts'
import { deviceOf } from '../device.ts'
import { AskForm } from './AskForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

type Begun = { onePassKey: string; options: object }

export function AddPasskey({ onClose }: { onClose: () => void }) {
  const t = usePhrases('account')
  const [begun, setBegun] = useState<Begun>()
  const [codes, setCodes] = useState<string[]>()
  const begin = useChange(passkeys.begin)
  const add = useChange(passkeys.add, secondStep.state, account.self)

  async function make({ onePassKey, options }: Begun, name: string) {
    const credential = await makePasskey(options)
    if (!credential) return toasts.failed(t('keys.failed'))
    const { recoveryCodes } = await add.mutateAsync({ body: { onePassKey, name, credential } })
    toasts.done(t('keys.added'))
    if (recoveryCodes.length > 0) setCodes(recoveryCodes)
    else onClose()
  }
  return (
    <Dialog title={t('keys.add')} onClose={onClose}>
      {codes ? (
        <RecoveryCodes codes={codes} onDone={onClose} />
      ) : begun ? (
        <AskForm
          key="name"
          name="name"
          label={t('keys.name')}
          help={`${t('keys.nameHelp')} ${deviceOf(navigator.userAgent)}`}
          submit={t('keys.continue')}
          save={(name) => make(begun, name)}
        />
      ) : (
        <AskForm
          key="password"
          name="password"
          label={t('setUp.password')}
          submit={t('setUp.next')}
          save={async (password) => setBegun(await begin.mutateAsync({ body: { password } }))}
        />
      )}
    </Dialog>
  )
}
