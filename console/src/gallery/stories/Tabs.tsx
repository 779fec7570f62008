import { Button } from '../../kit/Button.tsx'
import { Tabs } from '../../kit/Tabs.tsx'
import type { Stories } from '../story.ts'

const options = ['Overview', 'Blacklist', 'WAF'].map((label) => ({ value: label.toLowerCase(), label }))

export const stories: Stories = {
  three: () => (
    <Tabs label="Parts" value="blacklist" options={options}>
      <Button size="sm">Add</Button>
    </Tabs>
  ),
}
