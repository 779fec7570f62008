/** The part that both dashboards share below their own figures: the tabs, the range, the charts. */

import { Panel } from '../kit/Panel.tsx'
import { AnalysisTabs, analysisSearch, BlacklistAnalysis } from '../pickers/statistics/AnalysisTabs.tsx'
import { Board } from '../pickers/statistics/Board.tsx'
import { ViewControls, ViewFilters } from '../pickers/statistics/ViewBar.tsx'
import { useView, ViewProvider } from '../pickers/statistics/view.ts'
import { WafAnalysis } from '../pickers/statistics/WafAnalysis.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { TimeZoneContext } from '../platform/time-zone.ts'

/** Three hours by default, in steps of a quarter of an hour, or of an hour for blocked requests. */
const Search = analysisSearch('3h')

export function Analysis() {
  const t = usePhrases('statistics')
  const may = useMay()
  const [state, go] = useSearchState(Search)
  const view = useView(state, go, { stepMin: state.tab === 'overview' ? 15 : 60 })
  if (!may('statistics.read')) return <Panel className="mt-3 py-8 text-center text-ink-3">{t('noPermission')}</Panel>
  return (
    <TimeZoneContext value={state.tz}>
      <ViewProvider value={view}>
        <section aria-label={t('tabs')} className="mt-4">
          <AnalysisTabs value={state.tab}>
            <ViewControls state={state} go={go} />
          </AnalysisTabs>
          <div className="relative">
            <ViewFilters state={state} go={go} />
            {state.tab === 'overview' && <Board name="" />}
          </div>
          {state.tab === 'blacklist' && <BlacklistAnalysis />}
          {state.tab === 'waf' && <WafAnalysis />}
        </section>
      </ViewProvider>
    </TimeZoneContext>
  )
}
