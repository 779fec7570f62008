/**
 * The roles of an account as checkboxes. Only within the same tenant: roles of another tenant belong to that tenant.
 */
import type { Permission } from '@breakwater/contract/permissions.ts'
import { roles } from '@breakwater/contract/roles/roles.ts'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { FieldFrame, useField } from '../kit/fields/frame.tsx'
import { Checkbox } from '../kit/Toggle.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay, useSelf } from '../platform/session.ts'
import { presetsOf } from './roles/presets.ts'

export function RolesField({ name }: { name: string }) {
  const t = usePhrases('people')
  const mayRead = useMay()('roles.read')
  const { field, error } = useField(name)
  const { data } = useCall(roles.meta, {}, { enabled: mayRead })
  const chosen = (field.value ?? []) as number[]
  const flip = (id: number) =>
    field.onChange(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])
  if (!mayRead || !data) return null
  return (
    <FieldFrame name={name} label={t('roles')} error={error} help={chosen.length === 0 ? t('roles.none') : undefined}>
      {data.total === 0 && <FirstRoles onMade={(id) => field.onChange([...chosen, id])} />}
      <div className="flex max-h-44 flex-col gap-0.5 overflow-y-auto">
        {data.data.map((role) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
          <label key={role.id} className="flex min-h-7 items-center gap-2.5 pointer-coarse:min-h-11">
            <Checkbox checked={chosen.includes(role.id)} onCheckedChange={() => flip(role.id)} />
            <span className="min-w-0 truncate">{role.name}</span>
          </label>
        ))}
      </div>
    </FieldFrame>
  )
}

/** If there is no role yet, a suggestion can be made the first one, so that an invitation needs no other page. */
function FirstRoles({ onMade }: { onMade: (id: number) => void }) {
  const t = usePhrases('people')
  const self = useSelf()
  const mayWrite = useMay()('roles.write')
  const creating = useChange(roles.create, roles.list, roles.meta)
  if (!mayWrite) return <p className="text-ink-3">{t('roles.empty')}</p>
  async function make(name: string, keys: Permission[]) {
    const permissions = keys.filter((key) => self.permissions.includes(key))
    const { id } = await creating.mutateAsync({ body: { name, permissions, memo: '' } })
    onMade(id)
  }
  return (
    <div>
      <p className="mb-1.5 text-ink-3">{t('roles.begin')}</p>
      <div className="flex flex-wrap gap-1.5">
        {presetsOf(self.auth).map(({ name, keys }) => (
          <Button
            key={name}
            size="sm"
            busy={creating.isPending}
            onClick={() => make(t(`preset.${name}`), keys).catch(showFault)}
          >
            {t(`preset.${name}`)}
          </Button>
        ))}
      </div>
    </div>
  )
}
