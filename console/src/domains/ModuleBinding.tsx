/** Which module of a family a domain is bound to; 0 is none. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { showFault } from '../kit/faults.tsx'
import { Select } from '../kit/Select.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

const modulesMax = 500

type Props = { siteId: number; domainId: number; family: ModuleFamily; label: string; bound: number }

export function ModuleBinding({ siteId, domainId, family, label, bound }: Props) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const { data } = useCall(family.calls.list, { siteId, query: { page: 1, pageSize: modulesMax } })
  const bind = useChange(family.calls.bind, domains.settings, family.calls.list)
  const options = [
    { value: 0, label: t('bind.none') },
    ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Select
      label={label}
      value={bound}
      options={options}
      disabled={!mayWrite || bind.isPending}
      className="w-full"
      onChange={(moduleID) =>
        bind.mutate(
          { siteId, body: { domainIDs: [domainId], [family.bindAs]: moduleID } as never },
          { onError: showFault, onSuccess: () => toasts.done(t('bind.done')) },
        )
      }
    />
  )
}
