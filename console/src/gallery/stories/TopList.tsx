import { useState } from 'react'
import { TopList } from '../../kit/TopList.tsx'
import type { Stories } from '../story.ts'

const rows = [
  { name: '203.0.113.44', value: 82_300 },
  { name: '198.51.100.7', value: 40_100 },
  { name: '192.0.2.199', value: 33_100 },
]

function Actions() {
  const [went, setWent] = useState('nowhere')
  const action = (key: string) => ({ key, label: key, run: (name: string) => setWent(`${key} ${name}`) })
  return (
    <>
      <TopList title="Top addresses" unit="requests" rows={rows} actions={[action('Filter'), action('Exclude')]} />
      <output>{went}</output>
    </>
  )
}

export const stories: Stories = {
  'with actions': () => <Actions />,
  empty: () => <TopList title="Top pages" unit="requests" rows={[]} />,
}
