/** The content of a widget, and the available kinds of widgets. */
import type { Widget } from '@breakwater/contract/dashboard/dashboard.ts'
import { cardTypes, seriesTypes, topTypes } from '@breakwater/contract/statistics/statistics.ts'
import { useMemo } from 'react'
import { later } from '../../kit/later.tsx'
import { heightOf } from '../../kit/WidgetGrid.tsx'
import { type PlainKey, usePhrases } from '../../platform/phrases.ts'

import { CardPanel, type CardType } from './CardPanel.tsx'
import { FixedSeries, fixedTypes } from './FixedRange.tsx'
import { SeriesPanel } from './SeriesPanel.tsx'
import type { SeriesType } from './series-look.ts'
import { TopPanel } from './TopPanel.tsx'
import { isWithoutData, type TopName, topLook } from './top-look.ts'

/** Title, legend and padding of a panel, in px. */
const chartFrame = 94

const MapPanel = later(() => import('./MapPanel.tsx').then((file) => file.MapPanel))

/** The lists that can be shown on a map. */
const mapNames = ['country', 'blockCountry'] as const

const topNames = Object.keys(topTypes) as TopName[]

export function WidgetBody({ widget: { kind, type, h } }: { widget: Widget }) {
  const full = 'h-full overflow-y-auto'
  switch (kind) {
    case 'card':
      return <CardPanel type={type as CardType} className={full} />
    case 'series':
      return (
        <SeriesPanel type={type as SeriesType} height={Math.max(60, heightOf(h) - chartFrame)} className="h-full" />
      )
    case 'day':
    case 'month':
    case 'qps':
      return (
        <FixedSeries
          kind={kind}
          type={type as SeriesType}
          height={Math.max(60, heightOf(h) - chartFrame)}
          className="h-full"
        />
      )
    case 'map':
      return <MapPanel name={type === topTypes.country ? 'country' : 'blockCountry'} className={full} />
    default: {
      const name = topNames.find((one) => topTypes[one] === type) ?? 'url'
      return <TopPanel name={name} className={full} />
    }
  }
}

/** Everything that can be added to a board, without lists that have no data source. */
export function useWidgetKinds(): { kind: Widget['kind']; type: number; label: string }[] {
  const t = usePhrases('statistics')
  return useMemo(
    () => [
      ...Object.values(cardTypes).map((type) => ({
        kind: 'card' as const,
        type,
        label: t(`card.${type}` as PlainKey<'statistics'>),
      })),
      ...Object.entries(seriesTypes)
        .filter(([name]) => name !== 'waf')
        .map(([name, type]) => ({
          kind: 'series' as const,
          type,
          label: t(`chart.${name}` as PlainKey<'statistics'>),
        })),
      ...(['day', 'month'] as const).flatMap((kind) =>
        fixedTypes.map(({ name, type }) => ({ kind, type, label: `${t(`fixed.${kind}`)} · ${t(`chart.${name}`)}` })),
      ),
      { kind: 'qps' as const, type: seriesTypes.rate, label: `${t('qps')} · ${t('chart.rate')}` },
      ...topNames
        .filter((name) => !isWithoutData(name))
        .map((name) => ({ kind: 'top' as const, type: topTypes[name], label: t(topLook(name).title) })),
      ...mapNames.map((name) => ({
        kind: 'map' as const,
        type: topTypes[name],
        label: t('map.of', { name: t(topLook(name).title) }),
      })),
    ],
    [t],
  )
}
