/** Where requests come from: a map of countries beside their list, for all or for blocked requests; and cities. */
import { useState } from 'react'
import { Segments } from '../kit/Toggle.tsx'
import { MapPanel, placesMax } from '../pickers/statistics/MapPanel.tsx'
import { TopPanel } from '../pickers/statistics/TopPanel.tsx'
import { usePhrases } from '../platform/phrases.ts'

type Kind = 'all' | 'blocked'
type Area = 'country' | 'city'

const lists = {
  all: { country: 'country', city: 'city' },
  blocked: { country: 'blockCountry', city: 'blockCity' },
} as const

export function Places() {
  const t = usePhrases('statistics')
  const [kind, setKind] = useState<Kind>('all')
  const [area, setArea] = useState<Area>('country')
  return (
    <div className="mt-3 grid gap-3 lg:grid-cols-3">
      <MapPanel
        name={lists[kind].country}
        className="lg:col-span-2"
        aside={
          <Segments
            label={t('map.kind')}
            value={kind}
            onChange={setKind}
            options={[
              { value: 'all', label: t('map.all') },
              { value: 'blocked', label: t('map.blocked') },
            ]}
          />
        }
      />
      {/* The list is as tall as the map, and scrolls. */}
      <div className="min-w-0 lg:relative">
        <TopPanel
          name={lists[kind][area]}
          top={placesMax}
          className="lg:absolute lg:inset-0 lg:overflow-y-auto"
          aside={
            <Segments
              label={t('area')}
              value={area}
              onChange={setArea}
              options={[
                { value: 'country', label: t('area.country') },
                { value: 'city', label: t('area.city') },
              ]}
            />
          }
        />
      </div>
    </div>
  )
}
