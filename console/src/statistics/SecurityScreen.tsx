/** What was blocked, and from whom: cards, hourly series, lists. */
import { cardTypes, seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { AnalysisTabs, analysisSearch, BlacklistAnalysis } from '../pickers/statistics/AnalysisTabs.tsx'
import { CardPanel } from '../pickers/statistics/CardPanel.tsx'
import { SeriesPanel } from '../pickers/statistics/SeriesPanel.tsx'
import { TopPanel } from '../pickers/statistics/TopPanel.tsx'
import type { TopName } from '../pickers/statistics/top-look.ts'
import { ViewControls, ViewFilters } from '../pickers/statistics/ViewBar.tsx'
import { useView, ViewProvider } from '../pickers/statistics/view.ts'
import { WafAnalysis } from '../pickers/statistics/WafAnalysis.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { TimeZoneContext } from '../platform/time-zone.ts'
import { Places } from './Places.tsx'

/** Six hours, in steps of an hour. */
const Search = analysisSearch('6h')
const cards = [cardTypes.ip, cardTypes.status, cardTypes.blacklist, cardTypes.block]
const fixed: TopName[] = ['network', 'referer', 'url', 'userAgent']

export function SecurityScreen() {
  const t = usePhrases('statistics')
  const [state, go] = useSearchState(Search)
  const view = useView(state, go, { stepMin: 60 })
  return (
    <TimeZoneContext value={state.tz}>
      <ViewProvider value={view}>
        <PageHead title={t('security.title')} help={t('security.help')}>
          <ViewControls state={state} go={go} />
        </PageHead>
        <AnalysisTabs value={state.tab} />
        <ViewFilters state={state} go={go} />
        {state.tab === 'overview' && (
          <div className="grid gap-3">
            <CardPanel type={cardTypes.request} />
            <div className="grid gap-3 lg:grid-cols-[1fr_2fr]">
              {cards.map((type) => (
                <CardPanel key={type} type={type} />
              ))}
            </div>
            <div className="grid gap-3 lg:grid-cols-2">
              <SeriesPanel type={seriesTypes.requests} />
              <SeriesPanel type={seriesTypes.blacklist} />
            </div>
            <Places />
            <div className="grid gap-3 lg:grid-cols-2 xl:grid-cols-3">
              {fixed.map((name) => (
                <TopPanel key={name} name={name} />
              ))}
            </div>
          </div>
        )}
        {state.tab === 'blacklist' && <BlacklistAnalysis />}
        {state.tab === 'waf' && <WafAnalysis />}
      </ViewProvider>
    </TimeZoneContext>
  )
}
