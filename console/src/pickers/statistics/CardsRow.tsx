/**
 * The key figures of the page's view, and how they changed since the previous period. Those that can be filtered by are
 * buttons.
 */
import { cardTypes, statistics } from '@breakwater/contract/statistics/statistics.ts'
import type { ReactNode } from 'react'
import { Failed } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { type Change, type Stat, StatRow } from '../../kit/StatRow.tsx'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { Until } from './Until.tsx'
import { useStatView } from './view.ts'

const types = [cardTypes.request, cardTypes.ip, cardTypes.peak]
/** A figure that lags behind the others by more than this shows its own time. */
const laterSeconds = 15

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
  if (call.isError && !call.data)
    return (
      <Panel>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )

  const card = call.data?.data[cardTypes.request]
  const visitors = call.data?.data[cardTypes.ip]
  const was = view.before ? past.data?.data[cardTypes.request] : undefined
  const wasVisitors = view.before ? past.data?.data[cardTypes.ip] : undefined
  const told = call.data?.data[cardTypes.peak]
  // In the first minutes of traffic there is no complete five-minute interval: unknown is not 0.
  const peak = told?.time === undefined && (card?.traffic ?? 0) > 0 ? undefined : told
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
  const untils = call.data?.untils
  const [counted, ofRows] = [untils?.[cardTypes.request] ?? 0, untils?.[cardTypes.ip] ?? 0]
  return (
    <>
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
            value: shown(peak?.bandwidth, format.bitsPerSecond),
            hint: <PeakTime seconds={peak?.time} />,
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
            // Addresses are counted from log rows, which arrive later than the nodes' counters.
            hint: untils && ofRows + laterSeconds < counted && <Until time={ofRows} />,
            ...change(visitors?.addresses, wasVisitors?.addresses),
          },
        ]}
      />
      <p className="mt-1 min-h-4 text-right">{call.data && <Until time={counted} />}</p>
    </>
  )
}

/** Reserves space until the time is known, so that what is below does not move. */
function PeakTime({ seconds }: { seconds: number | undefined }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  return (
    <span className={seconds === undefined ? 'invisible' : undefined}>
      {t('peak.at', { time: format.dayClock(seconds === undefined ? Date.now() : seconds * 1000) })}
    </span>
  )
}
