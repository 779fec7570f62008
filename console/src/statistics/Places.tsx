/** Where requests come from: countries or cities, of all requests or of those that were refused. */
import { useState } from 'react'
import { usePhrases } from '../app/phrases.ts'
import { Segments } from '../kit/Toggle.tsx'
import { TopPanel } from '../pickers/statistics/TopPanel.tsx'

type Area = 'country' | 'city'

/** As long as the lists of places are (constants, topCount.dynamicCountryCity). */
const placesMax = 30

export function Places() {
  const t = usePhrases('statistics')
  const [area, setArea] = useState<Area>('country')
  const choice = (
    <Segments
      label={t('area')}
      value={area}
      onChange={setArea}
      options={[
        { value: 'country', label: t('area.country') },
        { value: 'city', label: t('area.city') },
      ]}
    />
  )
  return (
    <div className="mt-3 grid gap-3 lg:grid-cols-2 lg:[&>section]:max-h-[400px] lg:[&>section]:overflow-y-auto">
      <TopPanel name={area} top={placesMax} aside={choice} />
      <TopPanel name={area === 'country' ? 'blockCountry' : 'blockCity'} top={placesMax} />
    </div>
  )
}
