import { useController, useFormContext } from 'react-hook-form'
import type { BoundField } from './source.ts'

/** Binds a field to a form of react-hook-form. */
export function useHookFormField(name: string): BoundField {
  const { control } = useFormContext()
  const { field, fieldState } = useController({ name, control })
  return { field, fault: fieldState.error }
}
