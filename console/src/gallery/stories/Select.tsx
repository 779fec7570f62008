import { useState } from 'react'
import { Select } from '../../kit/Select.tsx'
import type { Stories } from '../story.ts'

const options = ['Taipei', 'Tokyo', 'Berlin'].map((value) => ({ value, label: value }))

function Cities({ named }: { named?: boolean }) {
  const [value, setValue] = useState('Tokyo')
  return <Select label="City" value={value} onChange={setValue} options={options} {...(named ? { named } : {})} />
}

export const stories: Stories = {
  plain: () => <Cities />,
  named: () => <Cities named />,
  disabled: () => <Select label="City" value="Tokyo" onChange={() => {}} options={options} disabled />,
}
