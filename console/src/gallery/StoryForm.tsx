/** A form around fields for a story; its values can be read from `data-value`. */
import { type ReactNode, useEffect, useState } from 'react'
import { FormProvider, useForm, useWatch } from 'react-hook-form'
import { useHookFormField } from '../kit/fields/hook-form-field.ts'
import { FieldSource } from '../kit/fields/source.ts'

type Props = { values: Record<string, unknown>; errors?: Record<string, string>; children: ReactNode }

export function StoryForm({ values, errors = {}, children }: Props) {
  const methods = useForm<Record<string, unknown>>({ defaultValues: values })
  const now = useWatch({ control: methods.control })
  const [wrong] = useState(errors)
  const { setError } = methods
  useEffect(() => {
    for (const [name, message] of Object.entries(wrong)) setError(name, { type: 'server', message })
  }, [wrong, setError])
  return (
    <FormProvider {...methods}>
      <FieldSource value={useHookFormField}>
        <form className="max-w-[560px]" data-value={JSON.stringify(now)} onSubmit={(event) => event.preventDefault()}>
          {children}
        </form>
      </FieldSource>
    </FormProvider>
  )
}
