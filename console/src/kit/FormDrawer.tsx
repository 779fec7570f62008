/** A form in a drawer or on a page. Owns what is wrong with the whole, leaving with unsaved input, and Ctrl or Cmd + S. */
import { useBlocker } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { FormProvider } from 'react-hook-form'
import { usePhrases } from '../app/phrases.ts'
import { Button } from './Button.tsx'
import { CopyText } from './CopyText.tsx'
import { Dialog, Drawer } from './Dialog.tsx'
import { useFaultText } from './faults.tsx'
import type { ResourceForm } from './useResourceForm.ts'

type FormProps = { form: ResourceForm; id?: string; children: ReactNode; className?: string }

/** The form itself, for pages that place their own buttons. */
export function Form({ form, id, children, className }: FormProps) {
  return (
    <FormProvider {...form.methods}>
      <form id={id} noValidate onSubmit={form.submit} className={className}>
        <FormFault form={form} />
        {children}
      </form>
      <LeaveGuard form={form} />
    </FormProvider>
  )
}

function FormFault({ form: { fault } }: { form: ResourceForm }) {
  const text = useFaultText()
  if (!fault) return null
  return (
    <div role="alert" className="mb-4 rounded-control bg-bad-bg px-3 py-2 text-bad">
      <p>{text(fault)}</p>
      {fault.fields.map(({ field, reason }) => (
        <p key={field} className="mono">
          {field}: {reason}
        </p>
      ))}
      {fault.requestId && <CopyText text={fault.requestId} />}
    </div>
  )
}

/** Asks before unsaved input is lost: by a link, the back button, closing the drawer or the tab. */
function LeaveGuard({ form }: { form: ResourceForm }) {
  const t = usePhrases('kit')
  const { isDirty } = form.methods.formState
  const guards = () => isDirty && !form.isSaved()
  const blocker = useBlocker({ shouldBlockFn: guards, enableBeforeUnload: guards, withResolver: true })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      title={t('leave.title')}
      onClose={blocker.reset}
      footer={
        <>
          <Button onClick={blocker.reset}>{t('leave.stay')}</Button>
          <Button look="danger" onClick={blocker.proceed}>
            {t('leave.discard')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{t('leave.text')}</p>
    </Dialog>
  )
}

type DrawerProps = {
  form: ResourceForm
  title: string
  onClose: () => void
  children: ReactNode
  /** The word on the button; `Save` where nothing truer is said. */
  saveLabel?: string
}

export function FormDrawer({ form, title, onClose, children, saveLabel }: DrawerProps) {
  const t = usePhrases('kit')
  const id = useId()
  function saveByKey(event: KeyboardEvent) {
    if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
    event.preventDefault()
    void form.submit()
  }
  return (
    <Drawer
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button look="solid" type="submit" form={id} busy={form.busy}>
            {saveLabel ?? t('save')}
          </Button>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <span className="ml-auto text-ink-3 text-xs max-sm:hidden">{t('saveKeys')}</span>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys of the fields within pass by here */}
      <div onKeyDown={saveByKey}>
        <Form form={form} id={id}>
          {children}
        </Form>
      </div>
    </Drawer>
  )
}
