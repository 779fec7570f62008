import { useState } from 'react'
import { BulkByIds, BulkConfirm } from '../../kit/BulkConfirm.tsx'
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

function RemovingMany() {
  const [rows, setRows] = useState(['shop', 'blog'])
  return (
    <BulkConfirm
      label="Remove several"
      title={`Remove ${rows.length}`}
      consequence="Their domains and rules go with them."
      rows={rows}
      rowKey={(name) => name}
      rowName={(name) => name}
      act={async () => {}}
      run={async () => true}
      clear={() => setRows([])}
      done="Removed"
    />
  )
}

function RevokingMany() {
  const [rows, setRows] = useState([
    { id: 1, name: 'laptop' },
    { id: 2, name: 'robot' },
  ])
  return (
    <BulkByIds
      label="Revoke several"
      title={`Revoke ${rows.length}`}
      consequence="Programs that have them are refused at once."
      rows={rows}
      rowName={({ name }) => name}
      act={async () => {}}
      run={async () => true}
      clear={() => setRows([])}
      done="Revoked"
    />
  )
}

export const stories: Stories = {
  plain: () => <Removing />,
  bulk: () => <RemovingMany />,
  bulkByIds: () => <RevokingMany />,
  typed: () => <Removing typed="shop" />,
}
