/** One zone: its name and note, and its groups. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Memo, Name } from '@breakwater/contract/fields.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { pageSizeMax } from '@breakwater/contract/paging.ts'
import { zones } from '@breakwater/contract/zones/zones.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { ZoneGroups } from './ZoneGroups.tsx'

const schema = z.object({ name: Name, memo: Memo })
const Field = fieldsOf(schema)

type Named = z.output<typeof schema>
type Zone = Reply<typeof nodes.zones>['data'][number]

export function ZoneForm({ onClose }: { onClose: () => void }) {
  const t = usePhrases('nodes')
  const create = useChange(zones.create, nodes.zones, nodes.metaZones)
  const form = useResourceForm(schema, {
    values: { name: '', memo: '' },
    save: (body) => create.mutateAsync({ body }),
    done: t('zone.saved'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('zone.add')} onClose={onClose}>
      <Field.Text name="name" label={t('zone')} autoFocus />
      <Field.Memo name="memo" label={t('memo')} />
    </FormDrawer>
  )
}

export function ZoneDrawer({ zone, onClose }: { zone: Zone; onClose: () => void }) {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const mayWrite = useMay()('zones.write')
  const update = useChange(zones.update, nodes.zones, nodes.metaZones)
  const remove = useChange(zones.remove, nodes.zones, nodes.metaZones)
  const { form, dialog } = useMergedForm<Named>(schema, {
    stored: { name: zone.name, memo: zone.memo },
    fieldsOf: (named) => named,
    write: (fields, basedOn) =>
      update.mutateAsync({ body: { ...(fields as Named), id: zone.id, ...(basedOn && { basedOn }) } }),
    readNow: async () => {
      const { data } = await send(nodes.zones, { query: { page: 1, pageSize: pageSizeMax } })
      const now = data.find(({ id }) => id === zone.id)
      return now && { name: now.name, memo: now.memo }
    },
    done: t('zone.saved'),
    stays: (fields) => fields as Named,
  })
  return (
    <Drawer title={zone.name} onClose={onClose}>
      <ZoneGroups zoneId={zone.id} />
      {mayWrite && (
        <section className="mt-6 border-line border-t pt-4">
          <h2 className="mb-2 font-semibold">{t('zone.edit')}</h2>
          <Form form={form}>
            <Field.Text name="name" label={t('zone')} />
            <Field.Memo name="memo" label={t('memo')} />
            {dialog}
            <div className="flex justify-between gap-2">
              <Button type="submit" busy={form.busy}>
                {tKit('save')}
              </Button>
              <ConfirmButton
                look="danger"
                label={t('zone.remove')}
                title={t('zone.remove.title', { name: zone.name })}
                consequence={t('zone.remove.text')}
                confirmLabel={t('zone.remove')}
                typed={zone.name}
                onConfirm={async () => {
                  await remove.mutateAsync({ body: { id: zone.id } })
                  toasts.done(t('zone.removed'))
                  onClose()
                }}
              />
            </div>
          </Form>
        </section>
      )}
    </Drawer>
  )
}
