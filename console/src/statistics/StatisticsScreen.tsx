/** Traffic: key figures, charts that share one range and one cursor, lists and a map; each with filters and links. */
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { CardsRow } from '../pickers/statistics/CardsRow.tsx'
import { SeriesPanel } from '../pickers/statistics/SeriesPanel.tsx'
import { TopPanel } from '../pickers/statistics/TopPanel.tsx'
import type { TopName } from '../pickers/statistics/top-look.ts'
import { ViewControls, ViewFilters } from '../pickers/statistics/ViewBar.tsx'
import { useView, ViewProvider, viewSearch } from '../pickers/statistics/view.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { TimeZoneContext } from '../platform/time-zone.ts'
import { Coverage } from './Coverage.tsx'
import { DomainRanks } from './DomainRanks.tsx'
import { Places } from './Places.tsx'

/** One hour by default. */
const Search = viewSearch('1h')
const lists: TopName[] = ['url', 'attackIPs', 'address', 'network', 'userAgent', 'referer', 'host']
const breakdowns: TopName[] = ['status', 'method', 'httpVersion', 'scheme', 'cache']

/** For one site, in its settings. */
export const SiteTraffic = ({ siteId }: { siteId: number }) => <StatisticsScreen siteId={siteId} />

export function StatisticsScreen({ siteId }: { siteId?: number }) {
  const t = usePhrases('statistics')
  const [asked, go] = useSearchState(Search)
  const state = siteId === undefined ? asked : { ...asked, site: siteId }
  const view = useView(state, go)
  return (
    <TimeZoneContext value={state.tz}>
      <ViewProvider value={view}>
        <PageHead title={t('title')} help={t('help')}>
          <ViewControls state={state} go={go} />
        </PageHead>
        <ViewFilters state={state} go={go} isOfSite={siteId !== undefined}>
          <Coverage />
        </ViewFilters>
        <CardsRow />
        <SeriesPanel type={seriesTypes.bandwidth} className="mt-3" height={240} />
        <div className="mt-3 grid gap-3 lg:grid-cols-2">
          <SeriesPanel type={seriesTypes.requests} />
          <SeriesPanel type={seriesTypes.status} />
          <SeriesPanel type={seriesTypes.cache} />
          <SeriesPanel type={seriesTypes.rate} />
          <SeriesPanel type={seriesTypes.traffic} />
          <SeriesPanel type={seriesTypes.origin} />
        </div>
        <Places />
        <div className="mt-3 grid gap-3 lg:grid-cols-2 xl:grid-cols-3">
          {lists.map((name) => (
            <TopPanel key={name} name={name} />
          ))}
        </div>
        <div className="mt-3 grid gap-3 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-5">
          {breakdowns.map((name) => (
            <TopPanel key={name} name={name} />
          ))}
        </div>
        <DomainRanks />
      </ViewProvider>
    </TimeZoneContext>
  )
}
