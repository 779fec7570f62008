/** Sets an account's password, which must be changed at the next sign-in. */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { NewPassword, Typed } from '@breakwater/contract/fields.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const Fields = z.object({ password: NewPassword, confirmPassword: Typed })
const Schema = Fields.refine(({ password, confirmPassword }) => password === confirmPassword, {
  path: ['confirmPassword'],
  message: 'passwordNotMatch',
})
const Field = fieldsOf(Fields)

export function SetPassword({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = usePhrases('people')
  const tKit = usePhrases('kit')
  const setting = useChange(accounts.setPassword, accounts.list)
  const form = useResourceForm(Schema, {
    values: { password: '', confirmPassword: '' },
    save: (body) => setting.mutateAsync({ body: { ...body, auth: account.auth, id: account.id } }),
    done: t('password.done'),
    onSaved: onClose,
  })
  return (
    <Dialog
      title={t('password.title', { name: account.name || account.account })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{tKit('cancel')}</Button>
          <Button look="solid" busy={form.busy} onClick={() => form.submit()}>
            {t('password.set')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-ink-2">{t('password.text')}</p>
      <Form form={form}>
        <Field.Secret name="password" label={t('password.new')} autoComplete="new-password" autoFocus />
        <Field.Secret name="confirmPassword" label={t('password.confirm')} autoComplete="new-password" />
      </Form>
    </Dialog>
  )
}
