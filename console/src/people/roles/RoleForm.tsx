/** One role: its name and its permissions, optionally started from a preset. */
import { Memo, Name } from '@breakwater/contract/fields.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { type Role, roles } from '@breakwater/contract/roles/roles.ts'
import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { ConfirmButton } from '../../kit/ConfirmButton.tsx'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'
import { toasts } from '../../platform/toasts.ts'
import { wholeLists } from '../whole-lists.ts'
import { PermissionField } from './PermissionField.tsx'
import { presetsOf } from './presets.ts'

const Schema = z.object({ name: Name, permissions: z.array(z.string()).min(1, 'required'), memo: Memo })
const Field = fieldsOf(Schema)

export function RoleForm({ role, onClose }: { role: Role | undefined; onClose: () => void }) {
  const t = usePhrases('people')
  const self = useSelf()
  const creating = useChange(roles.create, roles.list, roles.meta)
  const updating = useChange(roles.update, roles.list, roles.meta)
  const form = useResourceForm(Schema, {
    values: { name: role?.name ?? '', permissions: role?.permissions ?? [], memo: role?.memo ?? '' },
    save: async (values) => {
      const body = { ...values, permissions: values.permissions as Permission[] }
      if (role) await updating.mutateAsync({ roleId: role.id, body })
      else await creating.mutateAsync({ body })
    },
    done: t(role ? 'role.updated' : 'role.created'),
    failed: t(role ? 'role.updateFailed' : 'role.createFailed'),
    fieldOf: wholeLists,
    onSaved: onClose,
  })
  function begin(name: string, keys: Permission[]) {
    if (form.methods.getValues('name') === '') form.methods.setValue('name', name, { shouldDirty: true })
    form.methods.setValue(
      'permissions',
      keys.filter((key) => self.permissions.includes(key)),
      {
        shouldDirty: true,
        shouldValidate: true,
      },
    )
  }
  return (
    <FormDrawer form={form} title={role ? role.name : t('role.new')} onClose={onClose}>
      {/* Above the first field: its error, shown when the field is left, must not move the presets away from under
          the pointer. */}
      <div className="mb-4 flex flex-wrap items-center gap-1.5">
        <span className="text-ink-3">{t('role.presets')}</span>
        {presetsOf(self.auth).map(({ name, keys }) => (
          <Button key={name} size="sm" onClick={() => begin(t(`preset.${name}`), keys)}>
            {t(`preset.${name}`)}
          </Button>
        ))}
      </div>
      <Field.Text name="name" label={t('name')} autoFocus={!role} />
      <Field.Memo name="memo" label={t('role.memo')} />
      <PermissionField name="permissions" label={t('permissions')} />
      {role && <RemoveRole role={role} onRemoved={onClose} />}
    </FormDrawer>
  )
}

function RemoveRole({ role, onRemoved }: { role: Role; onRemoved: () => void }) {
  const t = usePhrases('people')
  const removing = useChange(roles.remove, roles.list, roles.meta)
  const isUsed = role.accountCount > 0
  return (
    <div className="flex items-center gap-3 border-line border-t pt-4">
      <ConfirmButton
        label={t('remove')}
        title={t('remove.title', { name: role.name })}
        consequence={t('role.removeText')}
        confirmLabel={t('remove')}
        disabled={isUsed}
        onConfirm={async () => {
          await removing.mutateAsync({ roleId: role.id }).catch((error: unknown) => {
            toasts.failed(t('role.removeFailed'))
            throw error
          })
          toasts.done(t('role.removed'))
          onRemoved()
        }}
      />
      {isUsed && <span className="text-ink-3">{t('role.inUse', { n: role.accountCount })}</span>}
    </div>
  )
}
