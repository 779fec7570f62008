/** Which header module a domain is bound to; None is 0 (rules G14). */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { showFault } from '../kit/faults.tsx'
import { Select } from '../kit/Select.tsx'
import { toasts } from '../kit/toasts.ts'

const modulesMax = 500

export function ModuleBinding({ siteId, domainId, bound }: { siteId: number; domainId: number; bound: number }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const { data } = useCall(customHeaders.list, { siteId, query: { page: 1, pageSize: modulesMax } })
  const bind = useChange(customHeaders.bind, domains.settings, customHeaders.list)
  const options = [
    { value: 0, label: t('bind.none') },
    ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <Select
      label={t('bind.module')}
      value={bound}
      options={options}
      disabled={!mayWrite || bind.isPending}
      className="w-full"
      onChange={(moduleID) =>
        bind.mutate(
          { siteId, body: { domainIDs: [domainId], moduleID } },
          { onError: showFault, onSuccess: () => toasts.done(t('bind.done')) },
        )
      }
    />
  )
}
