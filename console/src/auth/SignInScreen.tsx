/** The door: account and password, and a second step only where the account has one (rules B). */
import { login2FATypes, signIn } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate } from '@tanstack/react-router'
import type { z } from 'zod'
import { send } from '../app/browser.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { SecretField, TextField } from '../kit/fields/TextField.tsx'
import { Link } from '../kit/Link.tsx'
import { later } from '../kit/later.tsx'
import { toasts } from '../kit/toasts.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { pendingSignIn } from './pending.ts'
import { useEnter } from './use-enter.ts'

const SsoButtons = later(() => import('./SsoButtons.tsx').then((file) => file.SsoButtons))

const schema = signIn.code.body as z.ZodObject<{ account: z.ZodString; password: z.ZodString }>

export function SignInScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const enter = useEnter()
  const form = useResourceForm(schema, {
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
    <DoorFrame title={t('title')}>
      <Form form={form}>
        <TextField name="account" label={t('account')} autoComplete="username" autoFocus />
        <SecretField name="password" label={t('password')} autoComplete="current-password" />
        <Button look="solid" type="submit" busy={form.busy} className="mt-1 w-full">
          {t('submit')}
        </Button>
      </Form>
      <Link to={places.forgotPassword} className={buttonClass({ look: 'ghost' }, 'mt-2 w-full')}>
        {t('forgot.link')}
      </Link>
      <SsoButtons />
    </DoorFrame>
  )
}
