/** How each series is displayed: its lines, their fixed colours, its unit, and the filter of each line. */
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import type { Line } from '../../kit/time-series.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { logWord } from '../log-words.ts'
import { useStatView } from './view.ts'

export type SeriesType = (typeof seriesTypes)[keyof typeof seriesTypes]
export type SeriesLook = { title: string; lines: Line[]; format: (value: number) => string; isRate: boolean }

const refused = ['block', 'challenge']
const states = {
  hit: ['HIT', 'STALE', 'REVALIDATED', 'UPDATING'],
  miss: ['MISS', 'EXPIRED'],
  bypass: ['BYPASS', 'DIRECT'],
}
/** Three shades of one red: failed, blocked, dropped (console.md 3.4). */
const reds = {
  '5xx': '--drop',
  '9xx': 'color-mix(in srgb, var(--drop) 55%, white)',
  '444': 'color-mix(in srgb, var(--drop) 60%, black)',
}

export function useSeriesLook(type: SeriesType): SeriesLook {
  const t = usePhrases('statistics')
  const tLogs = usePhrases('logs')
  const format = useFormat()
  const { pick } = useStatView()
  return useMemo(() => {
    const by = (field: string, values: string[], isInverse = false) => ({
      onOnly: () => pick(field, values, isInverse),
      onExclude: () => pick(field, values, !isInverse),
    })
    const passAndDrop: Line[] = [
      { key: 'pass', label: t('chart.pass'), color: '--pass', ...by('action', refused, true) },
      { key: 'drop', label: t('chart.drop'), color: '--drop', ...by('action', refused) },
    ]
    const denied: Line[] = [{ key: 'requests', label: t('requests'), color: '--drop', ...by('status', ['903']) }]
    const look = (title: string, lines: Line[], show = format.compact, isRate = false) => ({
      title,
      lines,
      format: show,
      isRate,
    })
    switch (type) {
      case seriesTypes.requests:
        return look(t('chart.requests'), passAndDrop)
      case seriesTypes.blacklist:
        return look(t('chart.blacklist'), denied)
      case seriesTypes.waf:
        return look(t('chart.waf'), [
          { key: 'block', label: logWord('action', 'block', tLogs), color: '--drop', ...by('action', ['block']) },
          { key: 'challenge', label: logWord('action', 'challenge', tLogs), color: '--warn' },
          { key: 'observe', label: logWord('action', 'observe', tLogs), color: '--c9', ...by('action', ['observe']) },
        ])
      case seriesTypes.traffic:
        return look(
          t('chart.traffic'),
          [
            { key: 'sent', label: t('chart.sent'), color: '--c1' },
            { key: 'received', label: t('chart.received'), color: '--c9' },
          ],
          format.bytes,
        )
      case seriesTypes.status:
        return look(t('chart.status'), [
          { key: '2xx', label: '2xx', color: '--pass' },
          { key: '3xx', label: '3xx', color: '--c15' },
          { key: '4xx', label: '4xx', color: '--warn' },
          ...(['5xx', '9xx', '444'] as const).map((key) => ({ key, label: key, color: reds[key] })),
        ])
      case seriesTypes.cache:
        return look(t('chart.cache'), [
          { key: 'hit', label: t('cache.hit'), color: '--c1', ...by('cache', states.hit) },
          { key: 'miss', label: t('cache.miss'), color: '--c2', ...by('cache', states.miss) },
          { key: 'bypass', label: t('cache.bypass'), color: '--c6', ...by('cache', states.bypass) },
        ])
      case seriesTypes.origin:
        return look(t('chart.origin'), [{ key: 'requests', label: t('requests'), color: '--c5' }])
      case seriesTypes.bandwidth:
        return look(t('chart.bandwidth'), passAndDrop, format.bitsPerSecond, true)
      case seriesTypes.rate:
        return look(t('chart.rate'), passAndDrop, format.decimal, true)
    }
  }, [type, t, tLogs, format, pick])
}
