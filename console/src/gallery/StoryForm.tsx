/** A form around fields for a story; what it holds is read from `data-value`. */
import type { ReactNode } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'

type Props = { values: Record<string, unknown>; errors?: Record<string, string>; children: ReactNode }

export function StoryForm({ values, errors = {}, children }: Props) {
  const methods = useForm<Record<string, unknown>>({
    defaultValues: values,
    errors: Object.fromEntries(Object.entries(errors).map(([name, message]) => [name, { type: 'server', message }])),
  })
  const now = useWatch({ control: methods.control })
  return (
    <FormProvider {...methods}>
      <form className="max-w-[560px]" data-value={JSON.stringify(now)} onSubmit={(event) => event.preventDefault()}>
        {children}
      </form>
    </FormProvider>
  )
}
