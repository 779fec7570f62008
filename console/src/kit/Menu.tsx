/** A menu of actions or choices behind a button. */
import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

const itemClass =
  'flex min-h-[30px] cursor-default items-center gap-2.5 rounded-[6px] px-2 outline-none data-highlighted:bg-mute pointer-coarse:min-h-11'

export function Menu({
  trigger,
  children,
  align = 'end',
  defaultOpen = false,
}: {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
  /** Whether it is open initially. */
  defaultOpen?: boolean
}) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-60">
          <Base.Popup className="enter max-h-(--available-height) min-w-44 overflow-y-auto rounded-[9px] border border-line bg-raised p-1 shadow-pop outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  onClick,
  children,
  danger,
}: {
  onClick: () => void
  children: ReactNode
  danger?: boolean
}) {
  return (
    <Base.Item className={danger ? `${itemClass} text-bad` : itemClass} onClick={onClick}>
      {children}
    </Base.Item>
  )
}

type ChoicesProps<Value extends string> = {
  label: string
  value: Value
  onChange: (value: Value) => void
  options: readonly { value: Value; label: ReactNode }[]
}

export function MenuChoices<Value extends string>({ label, value, onChange, options }: ChoicesProps<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-ink-3 text-xs">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
        {options.map((option) => (
          <Base.RadioItem
            key={option.value}
            value={option.value}
            closeOnClick
            className={`${itemClass} justify-between`}
          >
            {option.label}
            <Base.RadioItemIndicator>
              <Check size={14} aria-hidden />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}

export function MenuLine() {
  return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
}
