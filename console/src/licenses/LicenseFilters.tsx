/** Search and status above both lists of licences. */
import { licenseStatuses } from '@breakwater/contract/licenses/licenses.ts'
import { z } from 'zod'
import { SearchInput } from '../kit/Input.tsx'
import { Select } from '../kit/Select.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'

export const LicenseSearch = ListSearch.extend({
  name: z.string().catch(''),
  status: z.enum(['', ...licenseStatuses]).catch(''),
})
type State = z.output<typeof LicenseSearch>

/** The search parameters that the calls take. */
export const queryOf = ({ page, pageSize, name, status }: State) => ({
  page,
  pageSize,
  ...(name ? { name } : {}),
  ...(status ? { status } : {}),
})

export const unfiltered = { name: '', status: '', page: 1 } as const

type Props = { state: State; go: (patch: Partial<State>, options?: { replace?: boolean }) => void }

export function LicenseFilters({ state, go }: Props) {
  const t = usePhrases('licenses')
  return (
    <div className="mb-2.5 flex flex-wrap gap-2">
      <SearchInput
        label={t('search')}
        value={state.name}
        onChange={(name) => go({ name, page: 1 }, { replace: true })}
      />
      <Select
        label={t('status')}
        value={state.status}
        onChange={(status) => go({ status, page: 1 })}
        options={[
          { value: '', label: t('anyStatus') },
          ...licenseStatuses.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
      />
    </div>
  )
}
