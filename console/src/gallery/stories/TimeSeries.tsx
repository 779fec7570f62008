import { useState } from 'react'
import { TimeSeries } from '../../kit/TimeSeries.tsx'
import type { SeriesProps } from '../../kit/time-series.ts'
import type { Stories } from '../story.ts'

const from = 1_763_700_000
const wave = (index: number, scale: number) => Math.round(scale * (2 + Math.sin(index / 9) + Math.cos(index / 4) / 3))
const points = Array.from({ length: 120 }, (_, index) => ({
  time: from + index * 300,
  value: { pass: wave(index, 900), drop: index > 60 && index < 80 ? wave(index, 700) : wave(index, 40) },
}))
const lines = [
  { key: 'pass', label: 'Allowed', color: '--pass' },
  { key: 'drop', label: 'Blocked', color: '--drop' },
]
const format = (value: number) => String(value)
const fixed: SeriesProps = { label: 'Requests', points, lines, format }

/** Only a third of the last step has data. */
const lastTime = points.at(-1)!.time
const filling: SeriesProps = {
  ...fixed,
  label: 'Requests up to now',
  points: [...points.slice(0, -1), { time: lastTime, value: { pass: 700, drop: 12 } }],
  covers: { from, to: lastTime + 100, step: 300 },
}

function Drawn() {
  const [range, setRange] = useState<{ from: number; to: number }>()
  return (
    <div data-range={JSON.stringify(range)}>
      <TimeSeries {...fixed} onRange={setRange} onZoomOut={() => setRange(undefined)} />
    </div>
  )
}

export const stories: Stories = {
  'to draw on': () => <Drawn />,
  bars: () => <TimeSeries {...fixed} label="Requests by minute" isBars height={120} />,
  filling: () => <TimeSeries {...filling} height={160} />,
  empty: () => (
    <TimeSeries {...fixed} label="Nothing" points={points.map(({ time }) => ({ time, value: {} }))} height={120} />
  ),
}
