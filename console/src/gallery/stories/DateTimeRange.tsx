import { useState } from 'react'
import { DateTimeRange, type Moments } from '../../kit/DateTimeRange.tsx'
import type { Stories } from '../story.ts'

const start = { from: 1_763_700_000, to: 1_763_721_600 }

function Range() {
  const [range, setRange] = useState<Moments | undefined>(start)
  return (
    <div className="max-w-[300px]" data-range={range ? `${range.from} ${range.to}` : 'none'}>
      <DateTimeRange start={start} zone="Asia/Taipei" onChange={setRange} />
    </div>
  )
}

export const stories: Stories = { 'two moments': () => <Range /> }
