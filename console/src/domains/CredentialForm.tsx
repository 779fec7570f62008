/** The drawer for the origin credential. */
import { OriginCredential, originCredential } from '@breakwater/contract/sites/origin-credential.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = OriginCredential
const Field = fieldsOf(schema)

export function CredentialForm({ siteId, header, onClose }: { siteId: number; header: string; onClose: () => void }) {
  const t = usePhrases('domains')
  const set = useChange(originCredential.calls.update, originCredential.calls.get)
  const form = useResourceForm(schema, {
    values: { header: header || 'X-Origin-Key', value: '' },
    save: (body) => set.mutateAsync({ siteId, body }),
    done: t('added'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('credential.title')} onClose={onClose}>
      <Field.Text name="header" label={t('credential.header')} mono autoFocus />
      <Field.Secret name="value" label={t('credential.value')} autoComplete="new-password" />
    </FormDrawer>
  )
}
