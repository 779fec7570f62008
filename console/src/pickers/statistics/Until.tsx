/** The time up to which a card's numbers are complete: nodes have not shipped later data yet. */
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'

/** `time` in epoch seconds. */
export function Until({ time }: { time: number }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  return <span className="num text-ink-3 text-xs">{t('until', { until: format.clockSeconds(time * 1000) })}</span>
}
