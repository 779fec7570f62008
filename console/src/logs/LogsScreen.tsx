/** The access log: as it happens, and searched. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { useCallback } from 'react'
import { queryClient, queryOf } from '../app/calls.ts'
import { useCountryName } from '../app/countries.ts'
import { usePhrases } from '../app/phrases.ts'
import { useSearchState } from '../app/search-state.ts'
import { TimeZoneContext } from '../app/time-zone.ts'
import { FilterBar, withFilter } from '../kit/FilterBar.tsx'
import { readFilters, writeFilters } from '../kit/filter-address.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { ListViews } from '../pickers/ListViews.tsx'
import { SiteSelect } from '../pickers/SiteSelect.tsx'
import { LogSearchState } from './explorer-state.ts'
import { filterFields } from './filters.ts'
import { LiveLog } from './LiveLog.tsx'
import { LogSearch } from './LogSearch.tsx'
import { ReferenceBox } from './ReferenceBox.tsx'
import { RowDrawer } from './RowDrawer.tsx'

export function LogsScreen() {
  const t = usePhrases('logs')
  const countryOf = useCountryName()
  const [state, go] = useSearchState(LogSearchState)
  const { view, site, f, row, tz } = state
  const filters = readFilters(f)
  const open = useCallback(
    (next: AccessLogRow) => {
      // It is here already: the drawer need not ask.
      queryClient.setQueryData(queryOf(logExplorer.row, { query: { id: next.id } }).queryKey, next)
      go({ row: next.id }, { replace: true })
    },
    [go],
  )
  const filter = (field: string, value: string, not: boolean) =>
    go({ f: writeFilters(withFilter(filters, field, value, not)), row: undefined })
  return (
    <TimeZoneContext value={tz}>
      <PageHead title={t('title')}>
        <ReferenceBox />
        <Segments
          label={t('title')}
          value={view}
          onChange={(next) => go({ view: next })}
          options={[
            { value: 'live', label: t('tab.live') },
            { value: 'search', label: t('tab.search') },
          ]}
        />
      </PageHead>
      <FilterBar
        views={<ListViews list="logs" />}
        fields={filterFields(t, countryOf)}
        filters={filters}
        onChange={(next) => go({ f: writeFilters(next) })}
      >
        <SiteSelect value={site} onChange={(next) => go({ site: next })} />
      </FilterBar>
      {view === 'live' ? (
        <LiveLog filters={filters} siteId={site} onOpen={open} />
      ) : (
        <LogSearch state={state} go={go} onOpen={open} onFilter={filter} />
      )}
      <p className="mt-2 text-right">
        <CountryAttribution />
      </p>
      {row && <RowDrawer id={row} onClose={() => go({ row: undefined }, { replace: true })} onFilter={filter} />}
    </TimeZoneContext>
  )
}
