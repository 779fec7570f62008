/**
 * A bulk action with confirmation: what is lost, the rows by name, then batch after batch with a report of failures.
 */
import type { ReactNode } from 'react'
import { toasts } from '../platform/toasts.ts'
import type { ButtonLook } from './Button.tsx'
import { batchSize, type RunBatches } from './batches.ts'
import { ConfirmButton } from './ConfirmButton.tsx'
import { ReviewList } from './ReviewDialog.tsx'
import { ScrollRegion } from './ScrollRegion.tsx'

type Props<Row> = Pick<ButtonLook, 'look'> & {
  label: string
  title: string
  /** What is destroyed, in words; the rows are listed below it. */
  consequence: ReactNode
  /** The selected rows that the action applies to. */
  rows: readonly Row[]
  rowKey: (row: Row) => number | string
  rowName: (row: Row) => ReactNode
  act: (batch: Row[]) => Promise<unknown>
  /** Rows per call; 1 if the call takes a single one. */
  perCall?: number
  run: RunBatches<Row>
  /** Clears the selection. */
  clear: () => void
  /** Message when all rows succeeded. */
  done: string
  /** Text to type before it can be confirmed. */
  typed?: string
}

export function BulkConfirm<Row>(props: Props<Row>) {
  const { label, title, consequence, rows, rowKey, rowName, act, perCall = batchSize, run, clear, done } = props
  async function runAll() {
    const all = await run(rows, act, perCall)
    if (all) toasts.done(done)
    // Some of several batches succeeded, so the selection no longer matches what is there.
    if (all || rows.length > perCall) clear()
  }
  return (
    <ConfirmButton
      size="sm"
      look={props.look ?? 'danger'}
      label={label}
      title={title}
      consequence={
        <>
          <div className="mb-3">{consequence}</div>
          <ScrollRegion label={title} className="max-h-52">
            <ReviewList items={rows.map((row) => ({ key: rowKey(row), text: rowName(row) }))} />
          </ScrollRegion>
        </>
      }
      confirmLabel={label}
      {...(props.typed === undefined ? {} : { typed: props.typed })}
      disabled={rows.length === 0}
      // The dialog closes at once: the progress is shown in the bar of the list.
      onConfirm={async () => void runAll()}
    />
  )
}

type PropsByIds<Row> = Omit<Props<Row>, 'rowKey' | 'act' | 'perCall'> & { act: (ids: number[]) => Promise<unknown> }

/** The same for a call that takes `ids`. */
export function BulkByIds<Row extends { id: number }>({ act, ...props }: PropsByIds<Row>) {
  return <BulkConfirm {...props} rowKey={({ id }) => id} act={(batch) => act(batch.map(({ id }) => id))} />
}
