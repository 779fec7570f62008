/**
 * The second step of signing in: a code, a recovery code or a passkey. Without a first step, there is nothing to
 * verify.
 */
import { login2FATypes, signIn } from '@breakwater/contract/auth/sign-in.ts'
import { Navigate } from '@tanstack/react-router'
import { useState } from 'react'
import { z } from 'zod'
import { Button, buttonClass } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { OtpField } from '../kit/fields/OtpField.tsx'
import { TextField } from '../kit/fields/TextField.tsx'
import { Link } from '../kit/Link.tsx'
import { PlainForm } from '../kit/PlainForm.tsx'
import { usePlainForm } from '../kit/usePlainForm.ts'
import { send } from '../platform/browser.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { toasts } from '../platform/toasts.ts'
import { type PendingSignIn, pendingSignIn } from './pending.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { useStartSession } from './use-start-session.ts'

const { email, totp, passkey } = login2FATypes

export function VerifyScreen() {
  const places = usePlaces()
  const t = usePhrases('auth')
  const [pending] = useState(pendingSignIn.get)
  if (!pending) return <Navigate to={places.signIn} replace />
  return (
    <SignInFrame title={t('verify.title')}>
      <Verify pending={pending} />
      <Link to={places.signIn} className={buttonClass({ look: 'ghost' }, 'mt-2 w-full')}>
        {t('verify.back')}
      </Link>
    </SignInFrame>
  )
}

function Verify({ pending }: { pending: PendingSignIn }) {
  const t = usePhrases('auth')
  const { methods, sentTo } = pending
  const hasDevice = methods.includes(totp) || methods.includes(passkey)
  const [isRecovery, setRecovery] = useState(false)
  const asksCode = isRecovery || methods.includes(totp) || methods.includes(email)
  const help = isRecovery
    ? t('verify.recoveryHelp')
    : methods.includes(totp)
      ? t('verify.app')
      : methods.includes(email)
        ? sentTo
          ? t('verify.mail', { address: sentTo })
          : t('verify.mailAny')
        : t('verify.passkeyHelp')
  return (
    <>
      <p className="mb-4 text-ink-2">{help}</p>
      {asksCode && <CodeForm key={String(isRecovery)} pending={pending} isRecovery={isRecovery} />}
      {!isRecovery && pending.passkey && <PasskeyButton pending={pending} solid={!asksCode} />}
      {hasDevice && (
        <Button look="ghost" className="mt-2 w-full" onClick={() => setRecovery(!isRecovery)}>
          {t(isRecovery ? (methods.includes(totp) ? 'verify.useCode' : 'verify.passkey') : 'verify.recovery')}
        </Button>
      )}
    </>
  )
}

const schema = z.object({ code: z.string().trim().min(1, 'required').max(64, 'charactersExceedLimit') })

/** The second call, with the proof of the second step. */
function useSecondStep(pending: PendingSignIn) {
  const enter = useStartSession()
  const { account, password, onePassKey, login2FAType } = pending
  return {
    async prove(proof: { code?: string; passkey?: { id: string; rawId: string; type: 'public-key' } }) {
      const body = { account, password, onePassKey, login2FAType, ...proof }
      return enter.begin(await send(signIn.login, { body }))
    },
    go(first: string | undefined) {
      pendingSignIn.set(undefined)
      enter.go(first)
    },
  }
}

function CodeForm({ pending, isRecovery }: { pending: PendingSignIn; isRecovery: boolean }) {
  const t = usePhrases('auth')
  const step = useSecondStep(pending)
  const form = usePlainForm(schema, { values: { code: '' }, save: (body) => step.prove(body), onSaved: step.go })
  return (
    <PlainForm form={form}>
      {isRecovery ? (
        <TextField name="code" label={t('verify.recoveryCode')} autoFocus mono />
      ) : (
        <OtpField name="code" label={t('verify.code')} autoFocus />
      )}
      <Button look="solid" type="submit" busy={form.busy} className="w-full">
        {t('verify.submit')}
      </Button>
    </PlainForm>
  )
}

function PasskeyButton({ pending, solid }: { pending: PendingSignIn; solid: boolean }) {
  const t = usePhrases('auth')
  const step = useSecondStep(pending)
  const [busy, setBusy] = useState(false)
  async function ask() {
    setBusy(true)
    try {
      const { answerPasskey } = await import('../platform/passkeys.ts')
      const answer = await answerPasskey(pending.passkey!)
      if (!answer) return toasts.failed(t('verify.passkeyFailed'))
      step.go(await step.prove({ passkey: answer }))
    } catch (fault) {
      await showFault(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button look={solid ? 'solid' : 'line'} busy={busy} className={solid ? 'w-full' : 'mt-2 w-full'} onClick={ask}>
      {t('verify.passkey')}
    </Button>
  )
}
