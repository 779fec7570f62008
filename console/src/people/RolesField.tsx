/** The roles of an account, each with a box. Only of one's own tenant: another's roles are another's. */
import { roles } from '@breakwater/contract/roles/roles.ts'
import { useCall } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { FieldFrame, useField } from '../kit/fields/frame.tsx'
import { Checkbox } from '../kit/Toggle.tsx'

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
      {data.total === 0 && <p className="text-ink-3">{t('roles.empty')}</p>}
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
