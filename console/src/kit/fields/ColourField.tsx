/** A colour: picked, or typed as `#rrggbb`. Empty for none. */
import { Field } from '@base-ui/react/field'
import { usePhrases } from '../../platform/phrases.ts'
import { cn } from '../cn.ts'
import { inputClass } from '../Input.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

/** The picker shows `fallback` while nothing is selected. */
export function ColourField(props: FieldProps & { fallback: string }) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  const text = String(field.value ?? '')
  return (
    <FieldFrame {...props} error={error}>
      <span className="flex items-center gap-2">
        <input
          type="color"
          aria-label={`${props.label}: ${t('colour.pick')}`}
          value={/^#[0-9a-f]{6}$/i.test(text) ? text : props.fallback}
          onChange={(event) => field.onChange(event.target.value)}
          className="h-8 w-11 shrink-0 cursor-pointer rounded-control border border-line bg-surface p-1 pointer-coarse:h-11"
        />
        <Field.Control
          {...field}
          value={text}
          placeholder={props.fallback}
          autoComplete="off"
          spellCheck={false}
          className={cn(inputClass, 'mono max-w-32')}
        />
      </span>
    </FieldFrame>
  )
}
