/** The groups of a zone: what each serves, its nodes, and the products that use it. */
import { Name } from '@breakwater/contract/fields.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { type ZoneGroup, zones } from '@breakwater/contract/zones/zones.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'
import { Button, IconButton } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Badge } from '../kit/Status.tsx'
import { type ResourceForm, useResourceForm } from '../kit/useResourceForm.ts'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const schema = z.object({
  name: Name,
  portType: z.union([z.literal(4), z.literal(7)]),
  isBackup: z.boolean(),
})
const Field = fieldsOf(schema)

export function ZoneGroups({ zoneId }: { zoneId: number }) {
  const t = usePhrases('nodes')
  const mayWrite = useMay()('zones.write')
  const [edited, setEdited] = useState<ZoneGroup | 'new'>()
  const call = useCall(zones.groups, { zoneId })
  const groups = call.data?.data
  return (
    <section>
      <div className="mb-1 flex items-center justify-between gap-3">
        <h2 className="font-semibold">{t('group.title')}</h2>
        {mayWrite && (
          <Button size="sm" onClick={() => setEdited('new')}>
            {t('group.add')}
          </Button>
        )}
      </div>
      <p className="mb-3 text-ink-3 text-xs">{t('group.help')}</p>
      {call.isError && !groups && <Failed fault={call.error} retry={() => call.refetch()} />}
      {!groups && !call.isError && <div className="skeleton h-24" />}
      {groups?.length === 0 && <p className="text-ink-2">{t('group.empty')}</p>}
      <ul className="space-y-2">
        {groups?.map((group) => (
          <GroupItem key={group.id} zoneId={zoneId} group={group} mayWrite={mayWrite} onEdit={() => setEdited(group)} />
        ))}
      </ul>
      {edited === 'new' && <NewGroup zoneId={zoneId} onClose={() => setEdited(undefined)} />}
      {edited && edited !== 'new' && (
        <GroupEditor zoneId={zoneId} group={edited} onClose={() => setEdited(undefined)} />
      )}
    </section>
  )
}

type ItemProps = { zoneId: number; group: ZoneGroup; mayWrite: boolean; onEdit: () => void }

function GroupItem({ zoneId, group, mayWrite, onEdit }: ItemProps) {
  const t = usePhrases('nodes')
  const remove = useChange(zones.removeGroup, zones.groups, nodes.zones)
  const { name, portType, isBackup, lines, products, siteCount } = group
  const members = lines.flatMap((line) => line.nodes)
  return (
    <li className="rounded-control border border-line px-3 py-2">
      <div className="flex items-center gap-2">
        <b className="min-w-0 truncate font-medium">{name}</b>
        <Badge tone={isBackup ? 'warn' : 'info'}>{t(isBackup ? 'group.backup' : 'group.main')}</Badge>
        {portType === 4 && <Badge tone="mute">{t('group.portType.4')}</Badge>}
        {mayWrite && (
          <span className="ml-auto inline-flex gap-1">
            <IconButton size="iconSm" label={t('group.edit', { name })} onClick={onEdit}>
              <Pencil size={14} aria-hidden />
            </IconButton>
            <ConfirmButton
              size="iconSm"
              look="ghost"
              ariaLabel={t('group.remove', { name })}
              label={<Trash2 size={14} aria-hidden />}
              title={t('group.remove', { name })}
              consequence={t('group.remove.text')}
              confirmLabel={t('group.remove', { name })}
              onConfirm={async () => {
                await remove.mutateAsync({ zoneId, body: { id: group.id } })
                toasts.done(t('zone.removed'))
              }}
            />
          </span>
        )}
      </div>
      <p className="mt-1 text-ink-2 text-xs">
        {[t('group.nodes', { n: members.length }), t('group.sites', { n: siteCount })].join(' · ')}
        {members.length > 0 && (
          <span className="text-ink-3">{` (${members.map((node) => node.name).join(', ')})`}</span>
        )}
      </p>
      <p className="text-ink-3 text-xs">
        {products.length > 0 ? t('group.products', { names: products.join(', ') }) : t('group.unused')}
      </p>
    </li>
  )
}

function NewGroup({ zoneId, onClose }: { zoneId: number; onClose: () => void }) {
  const t = usePhrases('nodes')
  const create = useChange(zones.createGroup, zones.groups, nodes.zones)
  const form = useResourceForm(schema, {
    values: { name: '', portType: 7, isBackup: false },
    save: (body) => create.mutateAsync({ zoneId, body }),
    done: t('zone.saved'),
    onSaved: onClose,
  })
  return (
    <GroupDialog title={t('group.add')} form={form} onClose={onClose}>
      <Field.Text name="name" label={t('group.name')} autoFocus />
      <Field.Select
        name="portType"
        label={t('group.portType')}
        options={[
          { value: 7, label: t('group.portType.7') },
          { value: 4, label: t('group.portType.4') },
        ]}
      />
    </GroupDialog>
  )
}

const Kept = schema.omit({ portType: true })
type Kept = z.output<typeof Kept>

function GroupEditor({ zoneId, group, onClose }: { zoneId: number; group: ZoneGroup; onClose: () => void }) {
  const t = usePhrases('nodes')
  const update = useChange(zones.updateGroup, zones.groups, nodes.zones)
  const { form, dialog } = useMergedForm<Kept>(Kept, {
    stored: { name: group.name, isBackup: group.isBackup },
    fieldsOf: (kept) => kept,
    write: (fields, basedOn) =>
      update.mutateAsync({ zoneId, body: { ...(fields as Kept), id: group.id, ...(basedOn && { basedOn }) } }),
    readNow: async () => {
      const now = (await send(zones.groups, { zoneId })).data.find(({ id }) => id === group.id)
      return now && { name: now.name, isBackup: now.isBackup }
    },
    done: t('zone.saved'),
    onSaved: onClose,
  })
  return (
    <GroupDialog title={t('group.edit', { name: group.name })} form={form} onClose={onClose}>
      <Field.Text name="name" label={t('group.name')} autoFocus />
      {dialog}
    </GroupDialog>
  )
}

type DialogProps = { title: string; form: ResourceForm; onClose: () => void; children: ReactNode }

function GroupDialog({ title, form, onClose, children }: DialogProps) {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  return (
    <Dialog title={title} onClose={onClose}>
      <Form form={form}>
        {children}
        <Field.Switch name="isBackup" label={t('group.isBackup')} />
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{tKit('cancel')}</Button>
          <Button look="solid" type="submit" busy={form.busy}>
            {tKit('save')}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}
