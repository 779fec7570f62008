/** What forms of either kind have: what is wrong with the whole of it, and the question before unsaved input is lost. */
import { useBlocker } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import type { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { CopyText } from './CopyText.tsx'
import { reasonText, useFaultText } from './faults.tsx'
import { FieldLabels } from './fields/frame.tsx'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((file) => ({ default: file.LeaveDialog })))

export type SavedForm = {
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>
  /** What is wrong with the whole and not with one field. */
  fault: Fault | undefined
  /** True once nothing of it is lost by leaving, which then asks nothing. */
  isSaved: () => boolean
  /** What its fields are called, by their names, once they are shown. */
  labels: Map<string, string>
}

type FrameProps = { form: SavedForm; isDirty: boolean; id?: string; children: ReactNode; className?: string }

export function FormFrame({ form, isDirty, id, children, className }: FrameProps) {
  return (
    <FieldLabels value={form.labels}>
      <form id={id} noValidate onSubmit={form.submit} className={className}>
        {form.fault && (
          // Its words are loaded with the first fault; the form stays meanwhile.
          <Suspense>
            <FormFault fault={form.fault} />
          </Suspense>
        )}
        {children}
      </form>
      <LeaveGuard isDirty={isDirty} isSaved={form.isSaved} />
    </FieldLabels>
  )
}

function FormFault({ fault }: { fault: Fault }) {
  const text = useFaultText()
  const t = usePhrases('kit')
  return (
    <div role="alert" className="mb-4 rounded-control bg-bad-bg px-3 py-2 text-bad">
      <p>{text(fault)}</p>
      {fault.fields.map(({ field, reason }) => (
        <p key={field}>
          {reason !== 'changedMeanwhile' && <span className="mono">{field}: </span>}
          {reasonText(reason, t)}
        </p>
      ))}
      {fault.requestId && <CopyText text={fault.requestId} />}
    </div>
  )
}

/** Asks before unsaved input is lost: by a link, the back button, closing the drawer or the tab. */
function LeaveGuard({ isDirty, isSaved }: { isDirty: boolean; isSaved: () => boolean }) {
  const guards = () => isDirty && !isSaved()
  const blocker = useBlocker({ shouldBlockFn: guards, enableBeforeUnload: guards, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <LeaveDialog onStay={blocker.reset} onDiscard={blocker.proceed} />
    </Suspense>
  )
}
