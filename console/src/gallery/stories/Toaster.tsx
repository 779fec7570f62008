import { Button } from '../../kit/Button.tsx'
import { toasts } from '../../platform/toasts.ts'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  messages: () => (
    <div className="flex gap-2">
      <Button onClick={() => toasts.done('Saved. Live on 43 of 43 nodes.')}>Tell</Button>
      <Button onClick={() => toasts.failed('The name is taken.', '01980e2f-6f0e-7a3c')}>Fail</Button>
    </div>
  ),
}
