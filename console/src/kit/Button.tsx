/** Buttons and their classes, so that a link can look like a button. */
import { Button as Base } from '@base-ui/react/button'
import type { ComponentProps, ReactNode } from 'react'
import { cn } from './cn.ts'

const looks = {
  /** Dark ink: the primary action of a screen. */
  solid: 'given:border-solid given:bg-solid given:text-on-solid hover:opacity-90',
  line: 'given:border-line given:bg-surface given:text-ink hover:bg-sunken',
  ghost: 'given:border-transparent given:text-ink-2 hover:bg-mute',
  danger: 'given:border-line given:bg-surface given:text-bad hover:bg-bad-bg',
  /** The final step of a removal. */
  destroy: 'given:border-transparent given:bg-bad given:text-white dark:given:text-black hover:opacity-90',
}
const sizes = {
  md: 'given:h-8 given:px-3 pointer-coarse:h-11',
  sm: 'given:h-[26px] given:px-2 given:text-xs pointer-coarse:h-9',
  icon: 'size-8 pointer-coarse:size-11',
  iconSm: 'size-[26px] pointer-coarse:size-9',
}

export type ButtonLook = { look?: keyof typeof looks; size?: keyof typeof sizes }

export function buttonClass({ look = 'line', size = 'md' }: ButtonLook = {}, ...more: (string | undefined)[]): string {
  return cn(
    'inline-flex shrink-0 select-none items-center given:justify-center gap-1.5 rounded-control border given:font-medium whitespace-nowrap transition-colors duration-120 data-disabled:pointer-events-none data-disabled:opacity-50',
    looks[look],
    sizes[size],
    ...more,
  )
}

type Props = Omit<ComponentProps<typeof Base>, 'className'> & ButtonLook & { className?: string; busy?: boolean }

/** While busy, it keeps its label and ignores further presses. */
export function Button({ look, size, busy = false, className, children, disabled, ...rest }: Props) {
  return (
    <Base
      disabled={disabled || busy}
      focusableWhenDisabled={busy}
      aria-busy={busy || undefined}
      className={buttonClass({ ...(look ? { look } : {}), ...(size ? { size } : {}) }, className)}
      {...rest}
    >
      {busy && <span className="status text-current" data-ring aria-hidden />}
      {children}
    </Base>
  )
}

/** A square button with an icon; its label is for screen readers and the tooltip. */
export function IconButton({
  label,
  children,
  size = 'icon',
  look = 'ghost',
  ...rest
}: Omit<Props, 'children'> & { label: string; children: ReactNode }) {
  return (
    <Button aria-label={label} title={label} size={size} look={look} {...rest}>
      {children}
    </Button>
  )
}
