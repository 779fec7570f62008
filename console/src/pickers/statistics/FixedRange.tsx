/**
 * A series with a range of its own, independent of the page's: the last day, the last month, the requests per second of
 * six hours.
 */
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { usePhrases } from '../../platform/phrases.ts'
import { type Range, useRange } from '../../platform/time-range.ts'
import { SeriesPanel } from './SeriesPanel.tsx'
import type { SeriesType } from './series-look.ts'
import { type StatView, useStatView, ViewProvider } from './view.ts'

export type FixedKind = 'day' | 'month' | 'qps'

const fixed: Record<FixedKind, { range: string; minutesStep: Range['minutesStep']; everyMs: number }> = {
  day: { range: '24h', minutesStep: 15, everyMs: 60_000 },
  month: { range: '30d', minutesStep: 1440, everyMs: 300_000 },
  qps: { range: '6h', minutesStep: 5, everyMs: 300_000 },
}

type Props = { kind: FixedKind; type: SeriesType; height?: number; className?: string }

export function FixedSeries({ kind, type, ...panel }: Props) {
  const t = usePhrases('statistics')
  const view = useStatView()
  const { range: text, minutesStep, everyMs } = fixed[kind]
  const { startTime, endTime } = useRange({ range: text }, everyMs)
  const own = useMemo<StatView>(
    () => ({
      ...view,
      scope: { ...view.scope, startTime, endTime },
      before: undefined,
      range: { startTime, endTime, minutesStep },
    }),
    [view, startTime, endTime, minutesStep],
  )
  return (
    <ViewProvider value={own}>
      <SeriesPanel type={type} prefix={kind === 'qps' ? t('qps') : t(`fixed.${kind}`)} {...panel} />
    </ViewProvider>
  )
}

/** The six series of the specification for a day and a month. */
export const fixedTypes: {
  name: 'traffic' | 'cache' | 'bandwidth' | 'requests' | 'origin' | 'status'
  type: SeriesType
}[] = (['traffic', 'cache', 'bandwidth', 'requests', 'origin', 'status'] as const).map((name) => ({
  name,
  type: seriesTypes[name],
}))
