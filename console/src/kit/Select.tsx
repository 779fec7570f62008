/** A choice of one out of a few, for use outside of forms; `Field.Select` is the same inside one. */
import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronDown } from 'lucide-react'
import { cn } from './cn.ts'

export type Option<Value extends string | number> = { value: Value; label: string }

type Props<Value extends string | number> = {
  value: Value
  onChange: (value: Value) => void
  options: readonly Option<Value>[]
  label: string
  /** Shows the label before the value. */
  named?: boolean
  className?: string
  id?: string
  disabled?: boolean
}

export function Select<Value extends string | number>({
  value,
  onChange,
  options,
  label,
  named,
  className,
  ...rest
}: Props<Value>) {
  return (
    <Base.Root items={options} value={value} onValueChange={(next) => onChange(next as Value)} {...rest}>
      <Base.Trigger
        aria-label={rest.id ? undefined : label}
        className={cn(
          'inline-flex given:h-8 items-center justify-between gap-2 rounded-control border border-line bg-surface px-2.5 text-left transition-colors hover:border-line-strong data-disabled:opacity-60 pointer-coarse:h-11',
          className,
        )}
      >
        <span className="min-w-0 truncate">
          {named && <span className="text-ink-3">{label} </span>}
          <Base.Value />
        </span>
        <ChevronDown size={14} aria-hidden className="shrink-0 text-ink-3" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-60">
          <Base.Popup className="enter max-h-(--available-height) min-w-(--anchor-width) overflow-y-auto rounded-[9px] border border-line bg-raised p-1 shadow-pop outline-none">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="flex min-h-7 cursor-default items-center justify-between gap-4 rounded-[6px] px-2 outline-none data-highlighted:bg-mute pointer-coarse:min-h-11"
              >
                <Base.ItemText>{option.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Check size={14} aria-hidden />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
