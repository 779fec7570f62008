import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Overlay, Popover } from '../../kit/Overlay.tsx'
import { type Pick, PickList } from '../../kit/PickList.tsx'
import type { Stories } from '../story.ts'

const places: Pick[] = [
  { key: 'a', label: 'Analytics', group: 'Pages' },
  { key: 'd', label: 'Domains', group: 'Pages', hint: 'g d' },
  { key: 's', label: 'shop.example', group: 'Sites' },
]

function Choose() {
  const [picked, setPicked] = useState('nothing')
  return (
    <>
      <div className="max-w-[400px] rounded-panel border border-line bg-surface">
        <PickList
          label="Go to"
          none="Nothing found"
          onPick={({ label }) => setPicked(label)}
          items={(text) => places.filter(({ label }) => label.toLowerCase().includes(text))}
        />
      </div>
      <output>{picked}</output>
    </>
  )
}

export const stories: Stories = {
  popover: () => (
    <Popover label="More" trigger={<Button>More</Button>} className="p-3">
      <p>What is said once it is asked.</p>
    </Popover>
  ),
  overlay: {
    alone: true,
    show: () => (
      <Overlay label="Palette" onClose={() => {}}>
        <PickList label="Go to" none="Nothing found" onPick={() => {}} items={() => places} />
      </Overlay>
    ),
  },
  'pick list': { alone: true, show: () => <Choose /> },
}
