/** Choice fields: one of a few, several of a few, yes or no. */
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import { Check } from 'lucide-react'
import { type Option, Select } from '../Select.tsx'
import { Switch } from '../Toggle.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

export function SelectField<Value extends string | number>(props: FieldProps & { options: readonly Option<Value>[] }) {
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error}>
      <Select
        label={props.label}
        value={field.value as Value}
        onChange={field.onChange}
        options={props.options}
        className="w-full"
      />
    </FieldFrame>
  )
}

export function SwitchField(props: FieldProps) {
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error} inline>
      <Switch checked={field.value === true} onCheckedChange={field.onChange} />
    </FieldFrame>
  )
}

/** Several of a few, each a toggle button: methods, status codes. */
export function ManyField(props: FieldProps & { options: readonly Option<string>[] }) {
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error}>
      <ToggleGroup
        multiple
        aria-label={props.label}
        value={(field.value ?? []) as string[]}
        onValueChange={field.onChange}
        className="flex flex-wrap gap-1.5"
      >
        {props.options.map(({ value, label }) => (
          <Toggle
            key={value}
            value={value}
            className="group inline-flex h-[26px] items-center gap-1 rounded-control border border-line bg-surface px-2 text-ink-2 text-xs data-pressed:border-accent data-pressed:bg-accent-bg data-pressed:text-ink pointer-coarse:h-9"
          >
            <Check size={12} aria-hidden className="hidden group-data-pressed:block" />
            {label}
          </Toggle>
        ))}
      </ToggleGroup>
    </FieldFrame>
  )
}
