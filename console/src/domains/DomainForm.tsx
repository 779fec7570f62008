/** Adding a domain: its name and its first origin. */
import { DomainPattern } from '@breakwater/contract/domain-name.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { OriginField } from '../pickers/OriginField.tsx'
import { parseOrigin } from '../pickers/origin-address.ts'

const schema = z.object({
  name: DomainPattern,
  origin: z
    .string()
    .min(1, 'required')
    .refine((text) => parseOrigin(text) !== undefined, 'wrongFormat'),
})
const Field = fieldsOf(schema)

export function DomainForm({ siteId, onClose }: { siteId: number; onClose: () => void }) {
  const t = usePhrases('domains')
  const adding = useChange(domains.create, domains.list)
  const form = useResourceForm(schema, {
    values: { name: '', origin: '' },
    save: ({ name, origin }) =>
      adding.mutateAsync({ siteId, body: { domains: [{ name, upstreams: [parseOrigin(origin)!] }] } }),
    done: t('added'),
    onSaved: onClose,
    fieldOf: (field) => (field.includes('upstreams') ? 'origin' : field.replace('domains.0.', '')),
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose} saveLabel={t('add')}>
      <Field.Text name="name" label={t('name')} help={t('name.help')} placeholder="www.example.com" mono autoFocus />
      <OriginField name="origin" siteId={siteId} />
    </FormDrawer>
  )
}
