/** A whole number with its unit. An empty field is not zero: it is invalid, or means unset. */
import { Field } from '@base-ui/react/field'
import { useState } from 'react'
import { cn } from '../cn.ts'
import { inputClass } from '../Input.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

type NumberProps = FieldProps & { unit?: string; isOptional?: boolean; placeholder?: string }

/** A number, or null for an empty field. */
export const OptionalNumberField = (props: NumberProps) => <NumberField {...props} isOptional />

export function NumberField({ isOptional = false, placeholder, ...props }: NumberProps) {
  const { field, error } = useField(props.name)
  // The text as typed; "1e" or "" are not numbers yet, and are kept until they are.
  const [text, setText] = useState<string>()
  const shown = text ?? (Number.isFinite(field.value) ? String(field.value) : '')
  return (
    <FieldFrame {...props} error={error}>
      <span className="relative flex items-center">
        <Field.Control
          ref={field.ref}
          name={field.name}
          value={shown}
          inputMode="numeric"
          autoComplete="off"
          placeholder={placeholder}
          className={cn(inputClass, 'num', props.unit && 'pr-14')}
          onValueChange={(value) => {
            setText(value)
            if (isOptional && value.trim() === '') field.onChange(null)
            else field.onChange(/^\s*-?\d+\s*$/.test(value) ? Number(value) : Number.NaN)
          }}
          onBlur={() => {
            if (Number.isFinite(field.value) || field.value === null) setText(undefined)
            field.onBlur()
          }}
        />
        {props.unit && <span className="pointer-events-none absolute right-2.5 text-ink-3 text-xs">{props.unit}</span>}
      </span>
    </FieldFrame>
  )
}
