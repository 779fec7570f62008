/** A part of the page that scrolls by itself, focusable and named for keyboard users. */
import type { ReactNode, Ref, UIEventHandler } from 'react'
import { cn } from './cn.ts'

export function ScrollRegion({
  label,
  className,
  children,
  ref,
  onScroll,
}: {
  label: string
  className?: string
  children: ReactNode
  ref?: Ref<HTMLElement>
  onScroll?: UIEventHandler<HTMLElement>
}) {
  return (
    <section
      ref={ref}
      onScroll={onScroll}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it, keys cannot scroll there
      tabIndex={0}
      className={cn('overflow-auto focus-visible:-outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
