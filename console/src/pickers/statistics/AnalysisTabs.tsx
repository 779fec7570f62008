/** The tabs of the dashboards' analysis, and the content of the one for blocked requests. */
import { cardTypes, seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Tabs } from '../../kit/Tabs.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { CardPanel } from './CardPanel.tsx'
import { SeriesPanel } from './SeriesPanel.tsx'
import { TopPanel } from './TopPanel.tsx'
import { viewSearch } from './view.ts'

const tabs = ['overview', 'blacklist', 'waf'] as const
export type AnalysisTab = (typeof tabs)[number]

export const analysisSearch = (range: string) => viewSearch(range).extend({ tab: z.enum(tabs).catch('overview') })

/** `children` stand beside the tabs: the range, if it is not in the page's header. */
export function AnalysisTabs({ value, children }: { value: AnalysisTab; children?: ReactNode }) {
  const t = usePhrases('statistics')
  return (
    <Tabs label={t('tabs')} value={value} options={tabs.map((tab) => ({ value: tab, label: t(`tab.${tab}`) }))}>
      {children}
    </Tabs>
  )
}

/** What the deny list and the other guards blocked, and from whom. The view provides steps of an hour. */
export function BlacklistAnalysis() {
  return (
    <div className="grid gap-3">
      <div className="grid gap-3 lg:grid-cols-[1fr_2fr]">
        <CardPanel type={cardTypes.blacklist} />
        <CardPanel type={cardTypes.block} />
      </div>
      <SeriesPanel type={seriesTypes.blacklist} />
      <div className="grid gap-3 lg:grid-cols-2 xl:grid-cols-3">
        <TopPanel name="blacklist" />
        <TopPanel name="blockCountry" />
        <TopPanel name="attackDomains" />
      </div>
    </div>
  )
}
