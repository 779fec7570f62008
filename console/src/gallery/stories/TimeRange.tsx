import { useState } from 'react'
import { TimeRange } from '../../kit/TimeRange.tsx'
import type { RangeState } from '../../platform/time-range.ts'
import type { Stories } from '../story.ts'

function Range({ start }: { start: RangeState }) {
  const [state, setState] = useState(start)
  return (
    <div data-range={JSON.stringify(state)}>
      <TimeRange state={state} go={(patch) => setState({ ...state, ...patch })} />
    </div>
  )
}

export const stories: Stories = {
  preset: () => <Range start={{ range: '24h', from: undefined, to: undefined }} />,
  drawn: () => <Range start={{ range: '24h', from: 1_763_700_000, to: 1_763_721_600, tz: 'Asia/Taipei' }} />,
}
