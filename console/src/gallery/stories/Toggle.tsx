import { useState } from 'react'
import { Checkbox, Segments, Switch, SwitchButton } from '../../kit/Toggle.tsx'
import type { Stories } from '../story.ts'

function Chosen() {
  const [area, setArea] = useState('country')
  const options = ['country', 'city'].map((value) => ({ value, label: value }))
  return (
    <>
      <Segments label="Area" value={area} onChange={setArea} options={options} />
      <output className="ml-2">{area}</output>
    </>
  )
}

function Pressed() {
  const [isOn, setOn] = useState(true)
  return (
    <SwitchButton isOn={isOn} onChange={setOn}>
      Live
    </SwitchButton>
  )
}

export const stories: Stories = {
  checkbox: () => (
    <div className="flex gap-4">
      <Checkbox aria-label="Off" />
      <Checkbox aria-label="On" defaultChecked />
      <Checkbox aria-label="Some" indeterminate />
      <Checkbox aria-label="Closed" disabled />
    </div>
  ),
  switch: () => (
    <div className="flex gap-4">
      <Switch aria-label="Cache" defaultChecked />
      <Switch aria-label="Compression" />
    </div>
  ),
  segments: () => <Chosen />,
  pressed: () => <Pressed />,
}
