/** Where a field has its value from: the form that it stands in, of either kind (`Form`, `PlainForm`). */
import { createContext } from 'react'
import type { ControllerRenderProps, FieldError, FieldValues } from 'react-hook-form'

export type BoundField = { field: ControllerRenderProps<FieldValues, string>; fault: FieldError | undefined }

/** The hook that binds a field of a form by its name. */
export const FieldSource = createContext<((name: string) => BoundField) | undefined>(undefined)
