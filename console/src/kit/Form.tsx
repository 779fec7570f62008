/** A form for a schema of the contract (`useResourceForm`). */
import type { ReactNode } from 'react'
import { FormProvider } from 'react-hook-form'
import { FormFrame } from './FormFrame.tsx'
import { useHookFormField } from './fields/hook-form-field.ts'
import { FieldSource } from './fields/source.ts'
import type { ResourceForm } from './useResourceForm.ts'

type FormProps = { form: ResourceForm; id?: string; children: ReactNode; className?: string }

export function Form({ form, ...props }: FormProps) {
  return (
    <FormProvider {...form.methods}>
      <FieldSource value={useHookFormField}>
        <FormFrame {...props} form={form} isDirty={form.methods.formState.isDirty} />
      </FieldSource>
    </FormProvider>
  )
}
