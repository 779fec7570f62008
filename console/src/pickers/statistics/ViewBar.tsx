/** The head of a statistics page: range, comparison, refresh; and below it the scope and the filters. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { FilterBar } from '../../kit/FilterBar.tsx'
import { later } from '../../kit/later.tsx'
import { Select } from '../../kit/Select.tsx'
import { TimeRange } from '../../kit/TimeRange.tsx'
import { SwitchButton } from '../../kit/Toggle.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { useMay } from '../../platform/session.ts'
import { SiteSelect } from '../SiteSelect.tsx'
import { useFilterFields } from './filter-fields.ts'
import { type Refresh, refreshes, useStatView, type ViewState } from './view.ts'

/** Only operators select a zone. */
const ZoneSelect = later(() => import('../ZoneSelect.tsx').then((file) => file.ZoneSelect))
const DomainScope = later(() => import('./DomainScope.tsx').then((file) => file.DomainScope))

type Props = { state: ViewState; go: (patch: Partial<ViewState>) => void }

/** Belongs into the page's header. */
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

const steps: ViewState['step'][] = [0, 1, 5, 15, 30, 60]
const tops: ViewState['top'][] = [5, 10, 20, 30]

type FilterProps = Props & {
  /** The page is about one site: neither site nor zone can be selected. */
  isOfSite?: boolean
  children?: ReactNode
}

/** Belongs above the numbers. */
export function ViewFilters({ state, go, isOfSite = false, children }: FilterProps) {
  const t = usePhrases('statistics')
  const { filters, setFilters } = useStatView()
  const fields = useFilterFields()
  const isOperator = usePlaces().tier === 'client'
  const may = useMay()
  return (
    <FilterBar fields={fields} filters={filters} onChange={setFilters}>
      {!isOfSite && <SiteSelect value={state.site} onChange={(site) => go({ site, domain: undefined })} />}
      <DomainScopeWhenWanted state={state} go={go} />
      {!isOfSite && isOperator && may('zones.read') && (
        <ZoneSelect value={state.zone} onChange={(zone) => go({ zone })} />
      )}
      <Select
        label={t('step')}
        named
        value={state.step}
        onChange={(step) => go({ step })}
        options={steps.map((value) => ({
          value,
          label: value === 0 ? t('step.auto') : t('step.minutes', { n: value }),
        }))}
      />
      <Select
        label={t('top')}
        named
        value={state.top}
        onChange={(top) => go({ top })}
        options={tops.map((value) => ({ value, label: String(value) }))}
      />
      <Select
        label={t('countType')}
        named
        value={state.count}
        onChange={(count) => go({ count })}
        options={(['reqCount', 'traffic'] as const).map((value) => ({
          value,
          label: t(value === 'traffic' ? 'traffic' : 'requests'),
        }))}
      />
      {children}
    </FilterBar>
  )
}

/** One domain of a site, or those with a tag: loaded if a site is selected, or else on request. */
function DomainScopeWhenWanted({ state, go }: Props) {
  const t = usePhrases('statistics')
  const mayRead = useMay()('domains.read')
  const [isAsked, setAsked] = useState(false)
  if (!mayRead) return null
  if (isAsked || state.site !== undefined || state.tag !== '') return <DomainScope state={state} go={go} />
  return (
    <Button size="sm" look="ghost" className="h-7 border-line-strong border-dashed" onClick={() => setAsked(true)}>
      {t('tag')}
    </Button>
  )
}
