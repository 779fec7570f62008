/** Shows the step of the charts. */
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { useSeries } from '../pickers/statistics/SeriesPanel.tsx'
import { useStatView } from '../pickers/statistics/view.ts'
import { usePhrases } from '../platform/phrases.ts'

export function Coverage() {
  const t = usePhrases('statistics')
  const view = useStatView()
  const { data } = useSeries(seriesTypes.bandwidth, view).now
  if (!data) return null
  const step =
    data.minutesStep < 60 ? t('step.minutes', { n: data.minutesStep }) : t('step.hours', { n: data.minutesStep / 60 })
  return <span className="num order-last ml-auto text-ink-3 text-xs">{t('coverage', { step })}</span>
}
