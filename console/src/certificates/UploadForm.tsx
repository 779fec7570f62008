/** Uploads a certificate with its key. The key is write-only. */
import { CertificateInput, certificates } from '@breakwater/contract/certificates/certificates.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(CertificateInput)

export function UploadForm(props: { siteId: number; onClose: () => void; onMade: (id: number) => void }) {
  const { siteId, onClose, onMade } = props
  const t = usePhrases('certificates')
  const create = useChange(certificates.create, certificates.list, certificates.meta)
  const form = useResourceForm(CertificateInput, {
    values: { name: '', certificate: '', privateKey: '' },
    save: (body) => create.mutateAsync({ siteId, body }),
    done: t('uploaded'),
    onSaved: ({ id }) => onMade(id),
  })
  return (
    <FormDrawer form={form} title={t('upload')} onClose={onClose} saveLabel={t('upload')}>
      <Field.Text name="name" label={t('name')} help={t('name.help')} placeholder="example.com" autoFocus />
      <Field.Block
        name="certificate"
        label={t('certificate')}
        help={t('certificate.help')}
        placeholder="-----BEGIN CERTIFICATE-----"
      />
      <Field.Block
        name="privateKey"
        label={t('privateKey')}
        help={t('privateKey.help')}
        placeholder="-----BEGIN PRIVATE KEY-----"
        isSecret
      />
    </FormDrawer>
  )
}
