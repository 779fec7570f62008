/**
 * Where requests come from, on a map: a press filters for a country, with Alt it excludes it. The list shows the same
 * numbers.
 */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import type { ReactNode } from 'react'
import { Failed } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { WorldMap } from '../../kit/WorldMap.tsx'
import { useCall } from '../../platform/calls.ts'
import { useCountryName } from '../../platform/countries.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { CountryAttribution } from '../country.tsx'
import { topLook } from './top-look.ts'
import { useStatView } from './view.ts'

/** The same length as the lists of places. */
export const placesMax = 30

type Props = { name: 'country' | 'blockCountry'; aside?: ReactNode; className?: string }

export function MapPanel({ name, aside, className }: Props) {
  const t = usePhrases('statistics')
  const nameOf = useCountryName()
  const format = useFormat()
  const { scope, pick } = useStatView()
  const { type, title } = topLook(name)
  const call = useCall(statistics.top, { body: { type, top: placesMax, ...scope } })
  const label = t('map.of', { name: t(title) })
  return (
    <Panel title={label} aside={aside} {...(className ? { className } : {})}>
      {call.isError && !call.data ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : (
        <>
          <WorldMap
            label={label}
            rows={call.data?.data}
            nameOf={nameOf}
            format={format.compact}
            color={name === 'country' ? '--accent' : '--drop'}
            onPick={(code, without) => pick('country', code, without)}
          />
          <CountryAttribution />
        </>
      )}
    </Panel>
  )
}
