/** Settings inline on the page: label left, control right, changed values marked, and a bar that saves the section. */
import { type ReactNode, useCallback } from 'react'
import { useFormContext } from 'react-hook-form'
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { Form } from './Form.tsx'
import { FieldRows } from './fields/frame.tsx'
import { Badge } from './Status.tsx'
import type { ResourceForm } from './useResourceForm.ts'

type SectionProps = {
  form: ResourceForm
  /** If false, the settings are read-only. */
  mayWrite: boolean
  /** Next to the save button, for example to test the settings. */
  aside?: ReactNode
  children: ReactNode
}

export function SettingsSection({ form, mayWrite, aside, children }: SectionProps) {
  return (
    <Form form={form}>
      <SettingsRows>{children}</SettingsRows>
      {mayWrite && <SaveBar form={form}>{aside}</SaveBar>}
    </Form>
  )
}

/** The fields inside become rows; those whose value differs from the saved one are marked. */
export function SettingsRows({ children }: { children: ReactNode }) {
  const t = usePhrases('kit')
  const { formState } = useFormContext()
  const { dirtyFields } = formState
  const mark = useCallback(
    (name: string) => dirtyFields[name] && <Badge tone="info">{t('settings.changed')}</Badge>,
    [dirtyFields, t],
  )
  return (
    <FieldRows value={mark}>
      <div>{children}</div>
    </FieldRows>
  )
}

/** A row that is not a form field. */
export function Setting({ label, help, children }: { label: ReactNode; help?: ReactNode; children: ReactNode }) {
  return (
    <div className="settings-row">
      <div className="sm:pt-1.5">
        <div className="font-medium">{label}</div>
        {help && <div className="mt-1 text-ink-3 text-xs">{help}</div>}
      </div>
      <div className="min-w-0">{children}</div>
    </div>
  )
}

export function SaveBar({ form, children }: { form: ResourceForm; children?: ReactNode }) {
  const t = usePhrases('kit')
  const { isDirty } = form.methods.formState
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-3 border-line border-t pt-3.5">
      <Button look="solid" type="submit" busy={form.busy}>
        {t('save')}
      </Button>
      {isDirty && (
        <>
          <Button onClick={() => form.methods.reset()}>{t('settings.discard')}</Button>
          <span role="status" className="self-center text-ink-2">
            {t('settings.unsaved')}
          </span>
        </>
      )}
      {children && <div className="ml-auto min-w-0 max-sm:has-[input]:w-full">{children}</div>}
    </div>
  )
}
