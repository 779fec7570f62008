/**
 * A form of a few text fields (`usePlainForm`), such as those before sign-in, where the first visit must load little.
 */
import type { ReactNode } from 'react'
import { FormFrame } from './FormFrame.tsx'
import { FieldSource } from './fields/source.ts'
import type { PlainFormState } from './usePlainForm.ts'

export function PlainForm({ form, children }: { form: PlainFormState; children: ReactNode }) {
  return (
    <FieldSource value={form.bind}>
      <FormFrame form={form} isDirty={form.isDirty}>
        {children}
      </FormFrame>
    </FieldSource>
  )
}
