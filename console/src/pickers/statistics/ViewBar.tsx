/** The head of a page of statistics: range, comparison, refreshing; and below it the scope and the filters. */
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import type { ReactNode } from 'react'
import { useCall } from '../../app/calls.ts'
import { usePhrases } from '../../app/phrases.ts'
import { usePlaces } from '../../app/places.ts'
import { useMay } from '../../app/session.ts'
import { FilterBar } from '../../kit/FilterBar.tsx'
import { Select } from '../../kit/Select.tsx'
import { TimeRange } from '../../kit/TimeRange.tsx'
import { SwitchButton } from '../../kit/Toggle.tsx'
import { SiteSelect } from '../SiteSelect.tsx'
import { useFilterFields } from './filter-fields.ts'
import { type Refresh, refreshes, useStatView, type ViewState } from './view.ts'

type Props = { state: ViewState; go: (patch: Partial<ViewState>) => void }

/** Stands in the page's head. */
export function ViewControls({ state, go }: Props) {
  const t = usePhrases('statistics')
  return (
    <>
      <SwitchButton isOn={state.compare} onChange={(compare) => go({ compare })}>
        {t('compare')}
      </SwitchButton>
      <TimeRange state={state} go={go} />
      <Select
        label={t('refresh')}
        named
        value={state.every}
        onChange={(every: Refresh) => go({ every })}
        options={(Object.keys(refreshes) as Refresh[]).map((value) => ({ value, label: t(`refresh.${value}`) }))}
      />
    </>
  )
}

/** Stands above the numbers. */
export function ViewFilters({ state, go, children }: Props & { children?: ReactNode }) {
  const { filters, setFilters } = useStatView()
  const fields = useFilterFields()
  const isOperator = usePlaces().tier === 'client'
  const may = useMay()
  return (
    <FilterBar fields={fields} filters={filters} onChange={setFilters}>
      <SiteSelect value={state.site} onChange={(site) => go({ site })} />
      {isOperator && may('zones.read') && <ZoneSelect value={state.zone} onChange={(zone) => go({ zone })} />}
      {children}
    </FilterBar>
  )
}

function ZoneSelect({ value, onChange }: { value: number | undefined; onChange: (zone: number | undefined) => void }) {
  const t = usePhrases('statistics')
  const { data } = useCall(nodes.metaZones, {})
  return (
    <Select
      label={t('zone')}
      named
      value={value ?? 0}
      onChange={(next) => onChange(next || undefined)}
      options={[
        { value: 0, label: t('zone.all') },
        ...(data?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
      ]}
      className="max-w-[280px]"
    />
  )
}
