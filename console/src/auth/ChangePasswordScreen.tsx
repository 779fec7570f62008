/** Changing one's own password. At the first sign-in, no other page is available. */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { NewPassword, Typed } from '@breakwater/contract/fields.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { send } from '../platform/browser.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { startSession, useSelf } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const schema = z
  .object({ oldPassword: Typed, password: NewPassword, confirmPassword: Typed })
  .refine((body) => body.password === body.confirmPassword, { path: ['confirmPassword'], message: 'passwordNotMatch' })
const Field = fieldsOf(schema)

export function ChangePasswordScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const { mustChangePassword } = useSelf()
  const form = useResourceForm(schema, {
    values: { oldPassword: '', password: '', confirmPassword: '' },
    save: async (body) => startSession(places.tier, await send(signIn.changePassword, { body })),
    onSaved(first) {
      toasts.done(t('change.done'))
      void navigate({ to: mustChangePassword ? (first ?? places.signIn) : places.profile })
    },
  })
  return (
    <div className="max-w-[440px]">
      <PageHead title={t('change.title')} help={mustChangePassword ? t('change.first') : undefined} />
      <Panel>
        <Form form={form}>
          <Field.Secret name="oldPassword" label={t('change.old')} autoComplete="current-password" autoFocus />
          <Field.Secret
            name="password"
            label={t('change.new')}
            help={t('change.newHelp')}
            autoComplete="new-password"
          />
          <Field.Secret name="confirmPassword" label={t('change.confirm')} autoComplete="new-password" />
          <Button look="solid" type="submit" busy={form.busy}>
            {t('change.submit')}
          </Button>
        </Form>
      </Panel>
    </div>
  )
}
