/** A form: what is wrong with the whole of it, and the question before unsaved input is lost. */
import { useBlocker } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { FormProvider } from 'react-hook-form'
import type { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { CopyText } from './CopyText.tsx'
import { reasonText, useFaultText } from './faults.tsx'
import { FieldLabels } from './fields/frame.tsx'
import type { ResourceForm } from './useResourceForm.ts'

const LeaveDialog = lazy(() => import('./LeaveDialog.tsx').then((file) => ({ default: file.LeaveDialog })))

type FormProps = { form: ResourceForm; id?: string; children: ReactNode; className?: string }

export function Form({ form, id, children, className }: FormProps) {
  return (
    <FieldLabels value={form.labels}>
      <FormProvider {...form.methods}>
        <form id={id} noValidate onSubmit={form.submit} className={className}>
          {form.fault && (
            // Its words are loaded with the first fault; the form stays meanwhile.
            <Suspense>
              <FormFault fault={form.fault} />
            </Suspense>
          )}
          {children}
        </form>
        <LeaveGuard form={form} />
      </FormProvider>
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
function LeaveGuard({ form }: { form: ResourceForm }) {
  const { isDirty } = form.methods.formState
  const guards = () => isDirty && !form.isSaved()
  const blocker = useBlocker({ shouldBlockFn: guards, enableBeforeUnload: guards, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <Suspense>
      <LeaveDialog onStay={blocker.reset} onDiscard={blocker.proceed} />
    </Suspense>
  )
}
