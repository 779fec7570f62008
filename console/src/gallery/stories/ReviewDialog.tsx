import { useState } from 'react'
import { Diff } from '../../kit/Diff.tsx'
import { ReviewDialog, ReviewList } from '../../kit/ReviewDialog.tsx'
import type { Stories } from '../story.ts'

function Review() {
  const [state, setState] = useState('open')
  return (
    <div data-state={state}>
      {state === 'open' && (
        <ReviewDialog
          title="Enforce 2 rules"
          affected="They met 12,480 requests of 3 sites in the last 24 hours."
          choices={[
            { label: 'Observe', look: 'line', act: async () => setState('observed') },
            { label: 'Enforce', act: async () => setState('enforced') },
          ]}
          onClose={() => setState('closed')}
        >
          <ReviewList
            items={Array.from({ length: 23 }, (_, key) => ({ key, text: `When the path matches ^/${key}` }))}
          />
          <Diff label="Rule" before={{ mode: 'observe' }} after={{ mode: 'enforce' }} />
        </ReviewDialog>
      )}
    </div>
  )
}

export const stories: Stories = { review: { alone: true, show: () => <Review /> } }
