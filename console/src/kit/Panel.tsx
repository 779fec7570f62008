/** A surface with a title: the only kind of box. Never nested. */
import { type ReactNode, useId } from 'react'
import { cn } from './cn.ts'

type Props = { title?: ReactNode; aside?: ReactNode; className?: string; children: ReactNode }

export function Panel({ title, aside, className, children }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={cn('min-w-0 rounded-panel border border-line bg-surface given:px-4 given:py-3.5', className)}
    >
      {title && (
        <div className="mb-1 flex min-h-[26px] flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 id={id} className="font-semibold text-sm">
            {title}
          </h2>
          {aside && <div className="flex items-center gap-2 text-ink-3">{aside}</div>}
        </div>
      )}
      {children}
    </section>
  )
}

/** Name and value pairs. */
export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <dl className={cn('grid grid-cols-[minmax(96px,auto)_1fr] items-baseline gap-x-4 gap-y-1.5', className)}>
      {children}
    </dl>
  )
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3 has-[+dd_[role=combobox]]:self-center">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
