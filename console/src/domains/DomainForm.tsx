/** Adds a domain: its name and its first origin. */
import { DomainPattern } from '@breakwater/contract/domain-name.ts'
import { domains } from '@breakwater/contract/domains/domains.ts'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { OriginField } from '../pickers/OriginField.tsx'
import { parseOrigin } from '../pickers/origin-address.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({
  name: DomainPattern,
  origin: z
    .string()
    .min(1, 'required')
    .refine((text) => parseOrigin(text) !== undefined, 'wrongFormat'),
})
const Field = fieldsOf(schema)

type Props = {
  siteId: number
  onClose: () => void
  /** Leads on to the domain, with the records that it needs. */
  onMade: (id: number) => void
}

export function DomainForm({ siteId, onClose, onMade }: Props) {
  const t = usePhrases('domains')
  const adding = useChange(domains.create, domains.list)
  const form = useResourceForm(schema, {
    values: { name: '', origin: '' },
    save: ({ name, origin }) =>
      adding.mutateAsync({ siteId, body: { domains: [{ name, upstreams: [parseOrigin(origin)!] }] } }),
    done: t('added'),
    onSaved: ({ ids }) => (ids[0] === undefined ? onClose() : onMade(ids[0])),
    fieldOf: (field) => (field.includes('upstreams') ? 'origin' : field.replace('domains.0.', '')),
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose} saveLabel={t('add')}>
      <Field.Text name="name" label={t('name')} help={t('name.help')} placeholder="www.example.com" mono autoFocus />
      <OriginField name="origin" siteId={siteId} />
    </FormDrawer>
  )
}
