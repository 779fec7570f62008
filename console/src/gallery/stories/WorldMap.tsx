import { useState } from 'react'
import { WorldMap } from '../../kit/WorldMap.tsx'
import { useCountryName } from '../../platform/countries.ts'
import { useFormat } from '../../platform/format.ts'
import type { Stories } from '../story.ts'

const rows = Object.entries({
  CN: 912_000,
  RU: 640_000,
  US: 82_300,
  DE: 31_000,
  BR: 9_100,
  SG: 44_000,
  IN: 120_000,
  ZA: 800,
  FR: 40,
})
  .map(([name, value]) => ({ name, value }))
  .sort((a, b) => b.value - a.value)

function Picked() {
  const nameOf = useCountryName()
  const format = useFormat()
  const [picked, setPicked] = useState('nothing')
  return (
    <div className="max-w-[720px]">
      <WorldMap
        label="Blocked requests"
        color="--drop"
        rows={rows}
        nameOf={nameOf}
        format={format.compact}
        onPick={(code, without) => setPicked(`${without ? 'not ' : ''}${code}`)}
      />
      <output>{picked}</output>
    </div>
  )
}

function Plain({ rows: shown }: { rows: typeof rows | undefined }) {
  const nameOf = useCountryName()
  const format = useFormat()
  return (
    <div className="max-w-[400px]">
      <WorldMap label="Requests by country" rows={shown} nameOf={nameOf} format={format.compact} />
    </div>
  )
}

export const stories: Stories = {
  'to pick from': () => <Picked />,
  plain: () => <Plain rows={rows} />,
  waiting: () => <Plain rows={undefined} />,
  empty: () => <Plain rows={[]} />,
}
