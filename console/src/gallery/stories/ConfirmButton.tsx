import { useState } from 'react'
import { ConfirmButton } from '../../kit/ConfirmButton.tsx'
import type { Stories } from '../story.ts'

function Removing({ typed }: { typed?: string }) {
  const [done, setDone] = useState(0)
  return (
    <div data-done={done}>
      <ConfirmButton
        look="danger"
        label={typed ? 'Remove by name' : 'Remove'}
        title="Remove shop"
        consequence="Its domains and rules go with it."
        confirmLabel="Remove it"
        onConfirm={async () => setDone(done + 1)}
        {...(typed ? { typed } : {})}
      />
    </div>
  )
}

export const stories: Stories = {
  plain: () => <Removing />,
  typed: () => <Removing typed="shop" />,
}
