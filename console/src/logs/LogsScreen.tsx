/** The access log: as it happens, and searched. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { useState } from 'react'
import { z } from 'zod'
import { usePhrases } from '../app/phrases.ts'
import { useSearchState } from '../app/search-state.ts'
import { FilterBar, withFilter } from '../kit/FilterBar.tsx'
import { readFilters, writeFilters } from '../kit/filter-address.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { SiteSelect } from '../pickers/SiteSelect.tsx'
import { FilterSearch, filterFields } from './filters.ts'
import { LiveLog } from './LiveLog.tsx'
import { LogSearch } from './LogSearch.tsx'
import { RowDetail } from './RowDetail.tsx'

const Search = FilterSearch.extend({ view: z.enum(['live', 'search']).catch('live') })

export function LogsScreen() {
  const t = usePhrases('logs')
  const [{ view, site, f }, go] = useSearchState(Search)
  const [row, setRow] = useState<AccessLogRow>()
  const filters = readFilters(f)
  return (
    <>
      <PageHead title={t('title')}>
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
      <FilterBar fields={filterFields(t)} filters={filters} onChange={(next) => go({ f: writeFilters(next) })}>
        <SiteSelect value={site} onChange={(next) => go({ site: next })} />
      </FilterBar>
      {view === 'live' ? (
        <LiveLog filters={filters} siteId={site} onOpen={setRow} />
      ) : (
        <LogSearch filters={filters} siteId={site} onOpen={setRow} />
      )}
      <p className="mt-2 text-right">
        <CountryAttribution />
      </p>
      {row && (
        <RowDetail
          row={row}
          onClose={() => setRow(undefined)}
          onFilter={(field, value, not) => {
            setRow(undefined)
            go({ f: writeFilters(withFilter(filters, field, value, not)) })
          }}
        />
      )}
    </>
  )
}
