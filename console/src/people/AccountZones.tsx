/** The zones assigned to one of the operator's people. */
import type { Account } from '@breakwater/contract/account/accounts.ts'
import { accountZones } from '@breakwater/contract/account/zones.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { showFault } from '../kit/faults.tsx'
import { Checkbox } from '../kit/Toggle.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { Section } from './Section.tsx'

export function AccountZones({ account }: { account: Account }) {
  const t = usePhrases('people')
  const mayRead = useMay()('zones.read')
  const all = useCall(nodes.metaZones, {}, { enabled: mayRead })
  const { data } = useCall(accountZones.list, { clientId: account.id }, { enabled: mayRead })
  const setting = useChange(accountZones.set, accountZones.list)
  if (!mayRead || !all.data || !data) return null
  const chosen = data.data.map(({ id }) => id)
  const flip = (id: number) => {
    const zoneIDs = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    const done = { onError: showFault, onSuccess: () => toasts.done(t('zones.saved')) }
    setting.mutate({ clientId: account.id, body: { zoneIDs } }, done)
  }
  return (
    <Section title={t('zones')} help={t('zones.help')}>
      <div className="flex max-h-44 flex-col gap-0.5 overflow-y-auto">
        {all.data.data.map(({ id, name }) => (
          // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
          <label key={id} className="flex min-h-7 items-center gap-2.5 pointer-coarse:min-h-11">
            <Checkbox checked={chosen.includes(id)} disabled={setting.isPending} onCheckedChange={() => flip(id)} />
            <span className="min-w-0 truncate">{name}</span>
          </label>
        ))}
      </div>
    </Section>
  )
}
