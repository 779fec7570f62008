/** The source of a field's value: the form that contains it, of either kind (`Form`, `PlainForm`). */
import { createContext } from 'react'
import type { ControllerRenderProps, FieldError, FieldValues } from 'react-hook-form'

export type BoundField = { field: ControllerRenderProps<FieldValues, string>; fault: FieldError | undefined }

/** The hook that binds a form field by name. */
export const FieldSource = createContext<((name: string) => BoundField) | undefined>(undefined)
