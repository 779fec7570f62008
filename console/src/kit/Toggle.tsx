/** Checkbox, switch, and a row of exclusive choices. */
import { Switch as BaseSwitch } from '@base-ui/react/switch'
import { Toggle } from '@base-ui/react/toggle'
import { ToggleGroup } from '@base-ui/react/toggle-group'
import type { ComponentProps, ReactNode } from 'react'
import { buttonClass } from './Button.tsx'
import { cn } from './cn.ts'
import type { Option } from './Select.tsx'

type CheckboxProps = Omit<ComponentProps<'input'>, 'className' | 'type' | 'onChange'> & {
  indeterminate?: boolean
  onCheckedChange?: (isOn: boolean) => void
}

// Always there, in the colour of an empty box: only the box changes with a check, and no mark of a hundred rows.
const mark =
  'before:absolute before:inset-[2px] before:bg-surface before:[clip-path:polygon(4%_52%,17%_39%,40%_62%,83%_10%,97%_22%,42%_90%)] indeterminate:before:[clip-path:inset(40%_4%)]'

const box = cn(
  'relative block size-4 shrink-0 appearance-none rounded-[4px] border-[1.5px] border-line-strong bg-surface after:absolute after:-inset-1 checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50 forced-colors:appearance-auto',
  mark,
)
// No attribute sets it. Each function stays the same, so that React does not call it with every render.
const mixed = (isMixed: boolean) => (element: HTMLInputElement | null) => {
  if (element) element.indeterminate = isMixed
}
const refs = { mixed: mixed(true), clear: mixed(false) }

/**
 * The browser's own checkbox in our colours: lists have a hundred of them, and another component for each would be
 * noticeable.
 */
export function Checkbox({ indeterminate, onCheckedChange, ...rest }: CheckboxProps) {
  return (
    <input
      {...rest}
      type="checkbox"
      ref={indeterminate === undefined ? undefined : refs[indeterminate ? 'mixed' : 'clear']}
      onChange={({ target }) => onCheckedChange?.(target.checked)}
      className={box}
    />
  )
}

type SwitchProps = Omit<ComponentProps<typeof BaseSwitch.Root>, 'className'>

export function Switch(props: SwitchProps) {
  return (
    <BaseSwitch.Root
      {...props}
      className="relative inline-flex h-[18px] w-8 shrink-0 rounded-full bg-line-strong p-0.5 transition-colors after:absolute after:-inset-1 data-checked:bg-accent data-disabled:opacity-50"
    >
      <BaseSwitch.Thumb className="size-3.5 rounded-full bg-surface transition-transform data-checked:translate-x-3.5" />
    </BaseSwitch.Root>
  )
}

type SegmentsProps<Value extends string> = {
  value: Value
  onChange: (value: Value) => void
  options: readonly Option<Value>[]
  label: string
  className?: string
}

export function Segments<Value extends string>({ value, onChange, options, label, className }: SegmentsProps<Value>) {
  return (
    <ToggleGroup
      aria-label={label}
      value={[value]}
      onValueChange={([next]) => next && onChange(next as Value)}
      className={cn('given:inline-flex rounded-control bg-mute p-0.5', className)}
    >
      {options.map((option) => (
        <Toggle
          key={option.value}
          value={option.value}
          className="h-7 rounded-[5px] px-2.5 text-ink-2 whitespace-nowrap data-pressed:bg-surface data-pressed:font-medium data-pressed:text-ink data-pressed:shadow-[0_1px_2px_rgb(0_0_0/.1)] pointer-coarse:h-10"
        >
          {option.label}
        </Toggle>
      ))}
    </ToggleGroup>
  )
}

type SwitchButtonProps = { isOn: boolean; onChange: (isOn: boolean) => void; children: ReactNode; className?: string }

/** A toggle button. */
export function SwitchButton({ isOn, onChange, children, className }: SwitchButtonProps) {
  return (
    <Toggle
      pressed={isOn}
      onPressedChange={onChange}
      className={buttonClass(
        {},
        'data-pressed:border-accent data-pressed:bg-accent-bg data-pressed:text-accent',
        className,
      )}
    >
      {children}
    </Toggle>
  )
}
