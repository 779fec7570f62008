/** The numbers of the page's view, and how they changed since the period before. What can be filtered by is a button. */
import { cardTypes, seriesTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import type { ReactNode } from 'react'
import { useCall } from '../../app/calls.ts'
import { useFormat } from '../../app/format.ts'
import { usePhrases } from '../../app/phrases.ts'
import { Failed } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { type Change, type Stat, StatRow } from '../../kit/StatRow.tsx'
import { useSeries } from './SeriesPanel.tsx'
import { useStatView } from './view.ts'

const types = [cardTypes.request, cardTypes.ip]

export function CardsRow() {
  const t = usePhrases('statistics')
  const format = useFormat()
  const view = useStatView()
  const call = useCall(statistics.info, { body: { type: types, ...view.scope } })
  const past = useCall(
    statistics.info,
    { body: { type: types, ...(view.before ?? view.scope) } },
    { enabled: view.before !== undefined },
  )
  const bandwidth = useSeries(seriesTypes.bandwidth, view).now.data?.data
  if (call.isError && !call.data)
    return (
      <Panel>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )

  const card = call.data?.[cardTypes.request]
  const visitors = call.data?.[cardTypes.ip]
  const was = view.before ? past.data?.[cardTypes.request] : undefined
  const wasVisitors = view.before ? past.data?.[cardTypes.ip] : undefined
  const peak = bandwidth?.reduce<{ time: number; bits: number }>(
    (most, { time, value }) => {
      const bits = (value.pass ?? 0) + (value.drop ?? 0)
      return bits > most.bits ? { time, bits } : most
    },
    { time: 0, bits: 0 },
  )
  const shown = (value: number | undefined, show: (value: number) => string) =>
    value === undefined ? '–' : show(value)
  const share = (part: number | undefined, whole: number | undefined) => (whole ? (part ?? 0) / whole : undefined)
  const change = (now?: number, before?: number, rest: Pick<Change, 'isGood' | 'isShare'> = {}): Partial<Stat> =>
    now === undefined || before === undefined ? {} : { change: { now, before, ...rest } }
  const filter = (text: string, field: string, values: string[], label: string): ReactNode => (
    <button
      type="button"
      title={t('filterBy', { name: label })}
      className="-mx-1 rounded-[6px] px-1 hover:bg-mute"
      onClick={() => view.pick(field, values)}
    >
      {text}
    </button>
  )
  const ratio = share(card?.hits, card?.requests)
  return (
    <StatRow
      stats={[
        {
          key: 'traffic',
          label: t('traffic'),
          value: shown(card?.traffic, format.bytes),
          ...change(card?.traffic, was?.traffic),
        },
        {
          key: 'peak',
          label: t('peak'),
          value: shown(peak?.bits, format.bitsPerSecond),
          hint: peak && peak.time > 0 ? format.dayClock(peak.time * 1000) : undefined,
        },
        {
          key: 'requests',
          label: t('requests'),
          value: shown(card?.requests, format.compact),
          ...change(card?.requests, was?.requests),
        },
        {
          key: 'hits',
          label: t('hitRatio'),
          value: filter(
            shown(ratio, format.percent),
            'cache',
            ['HIT', 'STALE', 'REVALIDATED', 'UPDATING'],
            t('cache.hit'),
          ),
          ...change(ratio, share(was?.hits, was?.requests), { isGood: 'more', isShare: true }),
        },
        {
          key: 'blocked',
          label: t('blocked'),
          value: filter(shown(card?.drop, format.compact), 'action', ['block', 'challenge'], t('blocked')),
          ...change(card?.drop, was?.drop, { isGood: 'less' }),
        },
        {
          key: 'visitors',
          label: t('visitors'),
          value: shown(visitors?.addresses, format.compact),
          ...change(visitors?.addresses, wasVisitors?.addresses),
        },
      ]}
    />
  )
}
