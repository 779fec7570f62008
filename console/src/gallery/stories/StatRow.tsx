import { StatRow } from '../../kit/StatRow.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  'with changes': () => (
    <StatRow
      stats={[
        { key: 'traffic', label: 'Total traffic', value: '41.20 TB', change: { now: 108, before: 100 } },
        { key: 'blocked', label: 'Blocked', value: '4.21 M', change: { now: 312, before: 100, isGood: 'less' } },
        {
          key: 'hits',
          label: 'Cache hit ratio',
          value: '93.4 %',
          hint: '15:10',
          change: { now: 0.934, before: 0.94, isGood: 'more', isShare: true },
        },
        { key: 'fresh', label: 'New', value: '12', change: { now: 12, before: 0 } },
      ]}
    />
  ),
}
