/** The second step of signing in: the code. Without a first step there is nothing to verify (rules A10). */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { Navigate } from '@tanstack/react-router'
import { z } from 'zod'
import { send } from '../app/browser.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { TextField } from '../kit/fields/TextField.tsx'
import { Link } from '../kit/Link.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { pendingSignIn } from './pending.ts'
import { useEnter } from './use-enter.ts'

const schema = z.object({ code: z.string().trim().min(1, 'required') })

export function VerifyScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const enter = useEnter()
  const pending = pendingSignIn.get()
  const form = useResourceForm(schema, {
    values: { code: '' },
    async save({ code }) {
      if (!pending) return
      const { account, password, onePassKey, login2FAType } = pending
      return enter.begin(await send(signIn.login, { body: { account, password, onePassKey, login2FAType, code } }))
    },
    onSaved(first) {
      pendingSignIn.set(undefined)
      enter.go(first)
    },
  })
  if (!pending) return <Navigate to={places.door} replace />
  return (
    <DoorFrame title={t('verify.title')}>
      <Form form={form}>
        <TextField name="code" label={t('verify.code')} autoComplete="one-time-code" autoFocus mono />
        <Button look="solid" type="submit" busy={form.busy} className="w-full">
          {t('verify.submit')}
        </Button>
      </Form>
      <Link to={places.door} className={buttonClass({ look: 'ghost' }, 'mt-2 w-full')}>
        {t('verify.back')}
      </Link>
    </DoorFrame>
  )
}
