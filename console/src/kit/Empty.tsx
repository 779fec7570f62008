/** The empty state: what belongs here, and the first step. */
import type { ReactNode } from 'react'

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-[440px] flex-col items-center gap-1.5 text-balance">
      <p className="font-medium text-ink">{title}</p>
      {children && <div className="text-balance text-ink-2">{children}</div>}
      {action && <div className="mt-2 flex gap-2">{action}</div>}
    </div>
  )
}
