import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  'first step': () => (
    <Empty title="No sites yet" action={<Button look="solid">Add site</Button>}>
      A site is what a customer puts behind the edge.
    </Empty>
  ),
}
