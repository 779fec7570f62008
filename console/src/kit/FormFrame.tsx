/** What all forms share: the form-level error, and the confirmation before unsaved input is lost. */
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
  /** An error of the form as a whole, not of a single field. */
  fault: Fault | undefined
  /** True once leaving loses nothing, so that no confirmation is needed. */
  isSaved: () => boolean
  /** The labels of its fields, by field name, once they are rendered. */
  labels: Map<string, string>
}

type FrameProps = { form: SavedForm; isDirty: boolean; id?: string; children: ReactNode; className?: string }

export function FormFrame({ form, isDirty, id, children, className }: FrameProps) {
  return (
    <FieldLabels value={form.labels}>
      <form id={id} noValidate onSubmit={form.submit} className={className}>
        {form.fault && (
          // The phrases are loaded with the first error; the form stays visible meanwhile.
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
