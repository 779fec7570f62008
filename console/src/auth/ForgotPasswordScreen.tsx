/** Forgotten password: asks for the account, then shows everybody the same sentence. */
import { invitation } from '@breakwater/contract/auth/invitation.ts'
import { Typed } from '@breakwater/contract/fields.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button, buttonClass } from '../kit/Button.tsx'
import { TextField } from '../kit/fields/TextField.tsx'
import { Link } from '../kit/Link.tsx'
import { PlainForm } from '../kit/PlainForm.tsx'
import { usePlainForm } from '../kit/usePlainForm.ts'
import { send } from '../platform/browser.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { SignInFrame } from './SignInFrame.tsx'

const schema = z.object({ account: Typed })

export function ForgotPasswordScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const [isSent, setSent] = useState(false)
  const form = usePlainForm(schema, {
    values: { account: '' },
    save: (body) => send(invitation.forgotPassword, { body }),
    onSaved: () => setSent(true),
  })
  return (
    <SignInFrame title={t('forgot.title')}>
      {isSent ? (
        <p role="status">{t('forgot.sent')}</p>
      ) : (
        <>
          <p className="mb-4 text-ink-2">{t('forgot.help')}</p>
          <PlainForm form={form}>
            <TextField name="account" label={t('account')} autoComplete="username" autoFocus />
            <Button look="solid" type="submit" busy={form.busy} className="w-full">
              {t('forgot.submit')}
            </Button>
          </PlainForm>
        </>
      )}
      <Link to={places.signIn} className={buttonClass({ look: 'ghost' }, 'mt-2 w-full')}>
        {t('verify.back')}
      </Link>
    </SignInFrame>
  )
}
