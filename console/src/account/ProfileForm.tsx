/** The signed-in person's own name and e-mail. */
import { account } from '@breakwater/contract/account/self.ts'
import { Email, Name } from '@breakwater/contract/fields.ts'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSelf } from '../platform/session.ts'

const schema = z.object({ name: Name, email: Email.or(z.literal('')) })
const Field = fieldsOf(schema)

export function ProfileForm({ onClose }: { onClose: () => void }) {
  const t = usePhrases('account')
  const { name, email } = useSelf()
  const update = useChange(account.updateSelf, account.self)
  const form = useResourceForm(schema, {
    values: { name, email },
    // An address that was never set may stay empty; one that is set can only be replaced.
    save: (body) =>
      update.mutateAsync({ body: { name: body.name, ...(body.email || email ? { email: body.email } : {}) } }),
    done: t('edit.done'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('edit.title')} onClose={onClose}>
      <Field.Text name="name" label={t('name')} autoComplete="name" />
      <Field.Text name="email" label={t('email')} inputMode="email" autoComplete="email" />
    </FormDrawer>
  )
}
