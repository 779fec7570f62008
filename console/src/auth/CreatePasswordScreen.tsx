/** Sets the password of a person who was invited or forgot it. The token alone identifies the person. */
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { NewPassword, Typed } from '@breakwater/contract/fields.ts'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { SecretField } from '../kit/fields/TextField.tsx'
import { PlainForm } from '../kit/PlainForm.tsx'
import { usePlainForm } from '../kit/usePlainForm.ts'
import { send } from '../platform/browser.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { toasts } from '../platform/toasts.ts'
import { SignInFrame } from './SignInFrame.tsx'

const schema = z
  .object({ password: NewPassword, confirmPassword: Typed })
  .refine((body) => body.password === body.confirmPassword, { path: ['confirmPassword'], message: 'passwordNotMatch' })

export function CreatePasswordScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const { token, name, email } = useSearch({ strict: false }) as Record<string, unknown>
  const toSignIn = () => navigate({ to: places.signIn, search: {} as never, replace: true })
  const form = usePlainForm(schema, {
    values: { password: '', confirmPassword: '' },
    async save(body) {
      try {
        await send(invitation.registerPassword, { body: { ...body, token: String(token) } })
        return true
      } catch (fault) {
        // A token that failed will fail again, so the back button must not lead here.
        await showFault(fault)
        return false
      }
    },
    onSaved(isDone) {
      if (isDone) toasts.done(t('create.done'))
      void toSignIn()
    },
  })
  if (typeof token !== 'string' || token === '') return <Navigate to={places.signIn} replace />
  return (
    <SignInFrame title={t('create.title')}>
      {typeof email === 'string' && email !== '' && (
        <p className="mb-4 break-words text-ink-2">{t('create.for', { name: String(name || email), email })}</p>
      )}
      <PlainForm form={form}>
        <SecretField
          name="password"
          label={t('change.new')}
          help={t('change.newHelp')}
          autoComplete="new-password"
          autoFocus
        />
        <SecretField name="confirmPassword" label={t('change.confirm')} autoComplete="new-password" />
        <Button look="solid" type="submit" busy={form.busy} className="w-full">
          {t('create.submit')}
        </Button>
      </PlainForm>
    </SignInFrame>
  )
}
