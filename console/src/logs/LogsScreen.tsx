/** The access log: live, and searched. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { useCallback } from 'react'
import { FilterBar, withFilter } from '../kit/FilterBar.tsx'
import { readFilters, writeFilters } from '../kit/filter-address.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { ListViews } from '../pickers/ListViews.tsx'
import { SiteSelect } from '../pickers/SiteSelect.tsx'
import { ZoneSelect } from '../pickers/ZoneSelect.tsx'
import { queryClient, queryOf } from '../platform/calls.ts'
import { useCountryName } from '../platform/countries.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSearchState } from '../platform/search-state.ts'
import { TimeZoneContext } from '../platform/time-zone.ts'
import { LogSearchState } from './explorer-state.ts'
import { filterFields } from './filters.ts'
import { LiveLog } from './LiveLog.tsx'
import { LogSearch } from './LogSearch.tsx'
import { ReferenceBox } from './ReferenceBox.tsx'
import { RowDrawer } from './RowDrawer.tsx'

/** The log of one site, in its settings. */
export const SiteLogs = ({ siteId }: { siteId: number }) => <LogsScreen siteId={siteId} />

export function LogsScreen({ siteId }: { siteId?: number }) {
  const t = usePhrases('logs')
  const countryOf = useCountryName()
  const { tier } = usePlaces()
  const [asked, go] = useSearchState(LogSearchState)
  const state = siteId === undefined ? asked : { ...asked, site: siteId }
  const { view, site, zone, f, row, tz } = state
  const filters = readFilters(f)
  const open = useCallback(
    (next: AccessLogRow) => {
      // The row is already loaded: the drawer need not fetch it.
      queryClient.setQueryData(queryOf(logExplorer.row, { query: { id: next.id } }).queryKey, next)
      // A history entry of its own: Back closes the row, not the log.
      go({ row: next.id })
    },
    [go],
  )
  const filter = (field: string, value: string, not: boolean) =>
    go({ f: writeFilters(withFilter(filters, field, value, not)), row: undefined })
  return (
    <TimeZoneContext value={tz}>
      <PageHead title={t('title')}>
        <ReferenceBox site={site} />
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
        {siteId === undefined && <SiteSelect value={site} onChange={(next) => go({ site: next })} />}
        {siteId === undefined && tier === 'client' && (
          <ZoneSelect value={zone} onChange={(next) => go({ zone: next })} />
        )}
      </FilterBar>
      {view === 'live' ? (
        <LiveLog filters={filters} siteId={site} zoneId={zone} onOpen={open} />
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
