import { useState } from 'react'
import { CheckTree } from '../../kit/CheckTree.tsx'
import { RegionPicker } from '../../kit/RegionPicker.tsx'
import type { Stories } from '../story.ts'

function Regions() {
  const [value, setValue] = useState(['DE', 'TW', 'SG'])
  return (
    <div data-value={value.join(' ')}>
      <RegionPicker label="Countries" value={value} onChange={setValue} />
    </div>
  )
}

const branches = [
  {
    key: 'sites',
    label: 'Sites',
    leaves: ['Read sites', 'Change sites', 'Remove sites'].map((label) => ({
      key: label,
      label,
      text: label,
      isClosed: label === 'Remove sites',
    })),
  },
  { key: 'logs', label: 'Logs', leaves: [{ key: 'Read logs', label: 'Read logs', text: 'Read logs' }] },
]

function Tree() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(['Read sites']))
  function set(keys: readonly string[], on: boolean) {
    const next = new Set(chosen)
    for (const key of keys) on ? next.add(key) : next.delete(key)
    setChosen(next)
  }
  return (
    <div className="max-w-[420px]" data-chosen={[...chosen].join()}>
      <CheckTree branches={branches} chosen={chosen} onChange={set} searchLabel="Search" none="Nothing found" />
    </div>
  )
}

export const stories: Stories = { regions: () => <Regions />, tree: () => <Tree /> }
