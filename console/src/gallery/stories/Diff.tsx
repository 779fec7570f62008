import { Diff } from '../../kit/Diff.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  changed: () => (
    <Diff
      label="What changes"
      before={{ name: 'login', seconds: 10, times: 60 }}
      after={{ name: 'login', seconds: 10, times: 100, mode: 'monitor' }}
    />
  ),
}
