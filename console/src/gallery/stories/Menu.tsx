import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Menu, MenuChoices, MenuItem, MenuLine } from '../../kit/Menu.tsx'
import type { Stories } from '../story.ts'

function Actions() {
  const [last, setLast] = useState('nothing')
  const [size, setSize] = useState('m')
  return (
    <div className="flex items-center gap-3">
      <Menu align="start" trigger={<Button>Actions</Button>}>
        <MenuItem onClick={() => setLast('copied')}>Copy</MenuItem>
        <MenuChoices
          label="Size"
          value={size}
          onChange={setSize}
          options={[
            { value: 's', label: 'Small' },
            { value: 'm', label: 'Medium' },
          ]}
        />
        <MenuLine />
        <MenuItem danger onClick={() => setLast('removed')}>
          Remove
        </MenuItem>
      </Menu>
      <output>{last}</output>
    </div>
  )
}

export const stories: Stories = { actions: () => <Actions /> }
