/** Setting up the second step, phase by phase: the password, the current method, the new one, recovery codes. */
import { account } from '@breakwater/contract/account/self.ts'
import { secondStep } from '@breakwater/contract/auth/second-step.ts'
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { CopyText } from '../../kit/CopyText.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { showFault } from '../../kit/faults.tsx'
import { Steps } from '../../kit/Steps.tsx'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'
import { toasts } from '../../platform/toasts.ts'
import { AskForm } from './AskForm.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'

const { none, email, totp } = login2FATypes

type At =
  | { step: 'password' }
  | { step: 'present'; key: string; asks: number }
  | { step: 'new'; begun: Reply<typeof secondStep.phase1> }
  | { step: 'codes'; codes: string[] }

export function SetUpDialog({ type, onClose }: { type: 0 | 1 | 3; onClose: () => void }) {
  const t = usePhrases('account')
  const [at, setAt] = useState<At>({ step: 'password' })
  const phase0 = useChange(secondStep.phase0)
  const phase1 = useChange(secondStep.phase1)
  const phase2 = useChange(secondStep.phase2, secondStep.state, account.self)

  async function begin(key: string, code: string) {
    const begun = await phase1.mutateAsync({ body: { onePassKey: key, code, login2FAType: type } })
    setAt({ step: 'new', begun })
  }
  async function start(password: string) {
    const { onePassKey, login2FAType } = await phase0.mutateAsync({ body: { password, login2FAType: type } })
    if (login2FAType === none) return begin(onePassKey, '')
    setAt({ step: 'present', key: onePassKey, asks: login2FAType })
  }
  async function finish(key: string, code: string) {
    const { recoveryCodes } = await phase2.mutateAsync({ body: { onePassKey: key, code } })
    toasts.done(t(`setUp.done.${type}`))
    if (recoveryCodes.length > 0) setAt({ step: 'codes', codes: recoveryCodes })
    else onClose()
  }

  const names = (['password', 'new', ...(type === totp ? (['codes'] as const) : [])] as const).map((step) =>
    t(`setUp.step.${step}`),
  )
  const place = { password: 0, present: 0, new: 1, codes: 2 }[at.step]
  return (
    <Dialog title={t(`setUp.title.${type}`)} onClose={onClose}>
      <Steps names={names} at={place} />
      {at.step === 'password' && (
        <AskForm name="password" label={t('setUp.password')} submit={t('setUp.next')} save={start} />
      )}
      {at.step === 'present' && (
        <AskForm
          name="code"
          label={t('setUp.code')}
          help={t(at.asks === email ? 'setUp.presentMail' : 'setUp.presentApp')}
          submit={t('setUp.next')}
          save={(code) => begin(at.key, code)}
        />
      )}
      {at.step === 'new' && (
        <NewStep type={type} begun={at.begun} finish={(code) => finish(at.begun.onePassKey, code)} />
      )}
      {at.step === 'codes' && <RecoveryCodes codes={at.codes} onDone={onClose} />}
    </Dialog>
  )
}

type NewProps = { type: 0 | 1 | 3; begun: Reply<typeof secondStep.phase1>; finish: (code: string) => Promise<void> }

function NewStep({ type, begun, finish }: NewProps) {
  const t = usePhrases('account')
  const { email: address } = useSelf()
  const { qrCode, qrCodeData } = begun
  const [busy, setBusy] = useState(false)
  async function turnOff() {
    setBusy(true)
    await finish('').catch(showFault)
    setBusy(false)
  }
  if (type === none)
    return (
      <>
        <p className="mb-4">{t('setUp.offText')}</p>
        <Button look="danger" busy={busy} onClick={turnOff}>
          {t('setUp.turnOff')}
        </Button>
      </>
    )
  const secret = qrCodeData ? (new URL(qrCodeData).searchParams.get('secret') ?? '') : ''
  return (
    <>
      {qrCode && (
        <div className="mb-4">
          <p className="mb-2 text-ink-2">{t('setUp.scan')}</p>
          <img
            src={qrCode}
            alt={t('setUp.qr')}
            width={196}
            height={196}
            className="mx-auto mb-2 rounded-control bg-white"
          />
          <CopyText text={secret} block />
        </div>
      )}
      <AskForm
        name="code"
        label={t(type === totp ? 'setUp.newCode' : 'setUp.code')}
        help={type === email ? t('setUp.mailed', { email: address }) : undefined}
        submit={t('setUp.finish')}
        save={finish}
      />
    </>
  )
}
