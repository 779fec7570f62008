/** The sign-in page: account and password, then the second step if the account has one. */
import { login2FATypes, signIn } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import { Button, buttonClass } from '../kit/Button.tsx'
import { SecretField, TextField } from '../kit/fields/TextField.tsx'
import { Link } from '../kit/Link.tsx'
import { later } from '../kit/later.tsx'
import { PlainForm } from '../kit/PlainForm.tsx'
import { usePlainForm } from '../kit/usePlainForm.ts'
import { send } from '../platform/browser.ts'
import { useEnded } from '../platform/ended.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { toasts } from '../platform/toasts.ts'
import { pendingSignIn } from './pending.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { useStartSession } from './use-start-session.ts'

const SsoButtons = later(() => import('./SsoButtons.tsx').then((file) => file.SsoButtons))

const schema = signIn.code.body as z.ZodObject<{ account: z.ZodString; password: z.ZodString }>

export function SignInScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const enter = useStartSession()
  const ended = useEnded()
  const form = usePlainForm(schema, {
    values: { account: '', password: '' },
    async save(body) {
      const answer = await send(signIn.code, { body })
      const { accessToken, refreshToken, tokenType, onePassKey = '', login2FAType, code = '' } = answer
      if (accessToken && refreshToken && tokenType) return enter.begin({ accessToken, refreshToken, tokenType })
      if (login2FAType === login2FATypes.automatic) {
        return enter.begin(await send(signIn.login, { body: { ...body, onePassKey, login2FAType, code } }))
      }
      const { methods = [login2FAType], sentTo = '', passkey } = answer
      pendingSignIn.set({ ...body, onePassKey, login2FAType, methods, sentTo, passkey })
      return places.verify
    },
    onSaved(next) {
      if (next !== places.verify) return enter.go(next)
      if (pendingSignIn.get()?.login2FAType === login2FATypes.email) toasts.info(t('codeSent'))
      void navigate({ to: next })
    },
  })
  return (
    <SignInFrame title={t('title')}>
      {ended && (
        <p role="alert" className="-mt-2 mb-4 rounded-[6px] bg-warn-bg px-3 py-2">
          {t('ended', { reason: ended })}
        </p>
      )}
      <PlainForm form={form}>
        <TextField name="account" label={t('account')} autoComplete="username" autoFocus />
        <SecretField name="password" label={t('password')} autoComplete="current-password" />
        <Button look="solid" type="submit" busy={form.busy} className="mt-1 w-full">
          {t('submit')}
        </Button>
      </PlainForm>
      <Link to={places.forgotPassword} className={buttonClass({ look: 'ghost' }, 'mt-2 w-full')}>
        {t('forgot.link')}
      </Link>
      <SsoButtons />
    </SignInFrame>
  )
}
